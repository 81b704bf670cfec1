import { describe, expect, it } from 'vitest';
import { ok } from '../../platform/result.ts';
import { type SignedRequest, verifySignature } from './http-signatures.ts';
import { rawHeadersOf, signRequest, testKey } from './testing/signed-requests.ts';

const CREATED = 1_700_000_000;
const POLICY = { now: CREATED * 1_000, maxAgeSeconds: 300, maxSkewSeconds: 60 };
const URL_IN = 'https://pay.example/outgoing-payments';
const BODY = '{"walletAddress":"https://pay.example/alice","quoteId":"https://pay.example/quotes/1"}';

const key = await testKey('test-key', 7);
const accepted = async (request: SignedRequest): Promise<boolean> =>
  (await verifySignature(request, POLICY, async () => ok(key.clientKey))).ok;

/** A small seeded generator (mulberry32), so that a failure can be repeated. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const headers = signRequest({ method: 'POST', url: URL_IN, token: 'T0KENT0KENT0KEN', body: BODY }, key, { created: CREATED });
const intact: SignedRequest = { method: 'POST', targetUris: [URL_IN], rawHeaders: rawHeadersOf(headers), body: Buffer.from(BODY) };
const value = (name: string): string => String(headers[name]);
const withHeader = (name: string, text: string): SignedRequest => ({ ...intact, rawHeaders: rawHeadersOf({ ...headers, [name]: text }) });

describe('tampering', () => {
  it('no request with one of 10,000 single-bit flips is accepted', async () => {
    expect(await accepted(intact)).toBe(true);
    const random = seeded(20_260_101);
    const flip = (bytes: Buffer): Buffer => {
      const flipped = Buffer.from(bytes);
      const at = random(flipped.length);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << random(8));
      return flipped;
    };
    const flipText = (text: string): string => flip(Buffer.from(text, 'latin1')).toString('latin1');
    const decoded = (field: string): Buffer => Buffer.from(field.slice(field.indexOf(':') + 1, -1), 'base64');
    const targets: (() => SignedRequest)[] = [
      () => ({ ...intact, method: flipText('POST') }),
      () => ({ ...intact, targetUris: [flipText(URL_IN)] }),
      () => withHeader('authorization', flipText(value('authorization'))),
      () => ({ ...intact, body: flip(Buffer.from(BODY)) }),
      () => withHeader('content-digest', `sha-512=:${flip(decoded(value('content-digest'))).toString('base64')}:`),
      () => withHeader('content-digest', flipText(value('content-digest'))),
      () => withHeader('signature', `sig1=:${flip(decoded(value('signature'))).toString('base64')}:`),
      () => withHeader('signature', flipText(value('signature'))),
      () => withHeader('signature-input', flipText(value('signature-input'))),
    ];
    for (let i = 0; i < 10_000; i++) {
      const request = targets[i % targets.length]?.() ?? intact;
      if (await accepted(request)) expect.fail(`flip ${i} was accepted: ${JSON.stringify(request)}`);
    }
  });

  it('200 malformed headers are refused without an exception', async () => {
    const input = value('signature-input');
    const signature = value('signature');
    const list = input.slice('sig1='.length);
    const inputs = [
      '',
      ' ',
      ',',
      ';',
      '=',
      '()',
      'sig1',
      'sig1=',
      'sig1=()',
      'sig1=(',
      'sig1=)',
      'sig1=("@method"',
      'sig1="@method"',
      'sig1=@method',
      'sig1=:AAAA:',
      'sig1=1',
      'sig1=?1',
      'sig1=("@method" "@target-uri")',
      'sig1=("@method""@target-uri");created=1',
      `SIG1=${list}`,
      `1=${list}`,
      `sig1 =${list}`,
      `sig1= ${list}`,
      `sig1=${list},`,
      `sig1=${list};`,
      `sig1=${list} x`,
      `sig1=${list};=1`,
      `sig1=${list};CREATED=1`,
      `sig1=${list}\0`,
      `sig1=${list}\n`,
      `sig1=${list}\r\nx: y`,
      `${input}é`,
      input.replaceAll('"', "'"),
      input.replaceAll('"', ''),
      input.replace('(', '[').replace(')', ']'),
      input.replaceAll(' ', ''),
      input.replaceAll(' ', '  '),
      input.replaceAll(' ', '\t'),
      input.replaceAll(';', '; '),
      input.replaceAll(';', ' ;'),
      input.replaceAll('=', ' = '),
      input.replace(';created=', ';created'),
      input.replace(/created=\d+/, 'created'),
      input.replace(/created=\d+/, 'created=9999999999999999'),
      input.replace(/created=\d+/, 'created=-1'),
      input.replace(/created=\d+/, 'created=1e9'),
      input.replace(/created=\d+/, 'created=Infinity'),
      input.replace(/created=(\d+)/, 'created=$1;created=$1'),
      input.replace(/created=(\d+)/, 'created=1;created=$1'),
      input.replace(/created=(\d+)/, 'created=($1)'),
      input.replace(/created=(\d+)/, 'created=%"$1"'),
      input.replace('keyid=', 'Keyid='),
      input.replace('keyid="test-key"', 'keyid=""'),
      input.replace('keyid="test-key"', 'keyid="test\\-key"'),
      input.replace('keyid="test-key"', 'keyid'),
      input.replace('keyid="test-key"', 'keyid=:dGVzdC1rZXk=:'),
      input.replace('keyid="test-key"', 'keyid="tést"'),
      input.replace('"@method"', '@method'),
      input.replace('"@method"', '"@METHOD"'),
      input.replace('"@method"', '"@method" "@method"'),
      input.replace('"@method"', '("@method")'),
      input.replace('"@method"', '"@method";req'),
      input.replace('"@method"', '"@method";sf=?0'),
      input.replace('"@method"', '"__proto__"'),
      input.replace('"@method"', '"constructor"'),
      input.replace('"@method"', '"@method\\"'),
      input.replace('"@method"', '"@method: POST\\n"'),
      input.replace('"@method"', '"@signature-params"'),
      input.replace('"@method"', '""'),
      input.replace('"@method"', '"@"'),
      input.replace('"@method"', '1'),
      input.replace('"@method"', '?1'),
      input.replace('"@method"', ':AAAA:'),
      input.replace('"@method"', '"signature"'),
      input.replace('"@method"', '"@method "'),
      '__proto__=()',
      `__proto__=${list}`,
      `${'('.repeat(5_000)}`,
      `sig1=(${'"a" '.repeat(3_000)})`,
      `sig1=()${';a'.repeat(4_000)}`,
      `${'a=1,'.repeat(4_000)}b`,
      'a'.repeat(16_000),
      `sig1="${'\\\\'.repeat(4_000)}`,
      `sig1=${'9'.repeat(10_000)}`,
      `sig1=@${'9'.repeat(15)}`,
      'sig1=@999999999999999999',
      'sig1=%"%ff"',
      'sig1=("a";b=@1);created=@99999999999999',
      `sig1=(%"a");created=${CREATED}`,
      '\u{1f600}',
      '\ud800',
    ];
    const signatures = [
      '',
      ' ',
      ',',
      '=',
      ':',
      '::',
      'sig1',
      'sig1=',
      'sig1=:',
      'sig1=::',
      'sig1=:A:',
      'sig1=:AA:',
      'sig1=:AAA:',
      'sig1=:AAAA:',
      'sig1=:====:',
      'sig1=:A=A=:',
      'sig1=(:AAAA:)',
      'sig1="AAAA"',
      'sig1=AAAA',
      'sig1=?1',
      'sig1=1',
      'sig1=@1',
      'sig1=()',
      'sig2=:AAAA:',
      signature.replace('sig1', 'sig2'),
      signature.replace('sig1', 'SIG1'),
      signature.replace('==:', ':'),
      signature.replace('==:', '=:'),
      signature.replace('==:', '===:'),
      signature.replace('==:', '==='),
      signature.replace('=:', '='),
      signature.slice(0, -1),
      signature.slice(1),
      signature.replace(/.==:$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}==:`),
      `${signature};a=1`,
      `${signature};a`,
      `${signature},`,
      `${signature} x`,
      `${signature}\0`,
      signature.replace(':', ': '),
      signature.replace(/:$/, ' :'),
      signature.replace(/(.{30})/, '$1 '),
      signature.replace(/(.{30})/, '$1\n'),
      signature.replace(/(.{30})/, '$1-'),
      signature.replace(/(.{30})/, '$1_'),
      signature.replace(/(.{30})/, '$1é'),
      `sig1=:${Buffer.alloc(63).toString('base64')}:`,
      `sig1=:${Buffer.alloc(64).toString('base64')}:`,
      `sig1=:${Buffer.alloc(65).toString('base64')}:`,
      `sig1=:${Buffer.alloc(64, 255).toString('base64')}:`,
      `sig1=:${Buffer.alloc(9_000).toString('base64')}:`,
      `sig1=(${signature.slice(5)})`,
      `sig1="${signature.slice(6, -1)}"`,
      `sig1=${signature.slice(6, -1)}`,
      `${signature}, sig1=:AAAA:`,
      `${signature}, sig1`,
      `${signature}, sig1=1`,
      `${signature}, ${signature.replace('sig1=:', 'sig1=:AAAA')}`,
      '\ud800',
      '\u{1f600}',
    ];
    const digests = [
      '',
      ' ',
      'sha-512',
      'sha-512=',
      'sha-512=::',
      'sha-512=1',
      'sha-512="a"',
      'sha-512=()',
      'SHA-512=:AAAA:',
      'sha512=:AAAA:',
      'md5=:AAAA:',
      'sha-256=:AAAA:',
      `${value('content-digest')},`,
      `${value('content-digest')};a`,
      `${value('content-digest')}, sha-256=::`,
      `${value('content-digest')}, sha-256`,
      value('content-digest').replace('==:', ':'),
      value('content-digest').replace('sha-512', 'sha-384'),
      'x'.repeat(9_000),
      '"',
      'sha-512=:',
      '"sha-512"=:AAAA:',
      `sha-512=:AAAA:, ${value('content-digest').replace('a', 'b')}`,
      '*',
      '-',
      '?0',
      '%"',
      '(',
      'a;b;c',
      '\ud800',
    ];
    const others: SignedRequest[] = [
      { ...intact, method: '' },
      { ...intact, method: 'post' },
      { ...intact, targetUris: [''] },
      { ...intact, targetUris: ['not a URL'] },
      { ...intact, targetUris: [`${URL_IN}\n"@method": GET`] },
      { ...intact, targetUris: [`${URL_IN}#`] },
      { ...intact, body: undefined },
      { ...intact, body: Buffer.alloc(0) },
      { ...intact, rawHeaders: [] },
      { ...intact, rawHeaders: ['signature'] },
      withHeader('authorization', ''),
      withHeader('authorization', 'Bearer T0KENT0KENT0KEN'),
      withHeader('authorization', 'GNAP  T0KENT0KENT0KEN'),
      withHeader('authorization', `${value('authorization')}\n`),
      withHeader('authorization', '\u0147NAP T0KENT0KENT0KEN'),
      withHeader('content-length', '-1'),
      withHeader('content-length', '1e2'),
      withHeader('content-length', `0${BODY.length}`),
      withHeader('content-length', `${BODY.length}.0`),
      withHeader('content-type', 'text/plain'),
      withHeader('content-type', ''),
    ];
    const malformed = [
      ...inputs.map((text) => withHeader('signature-input', text)),
      ...signatures.map((text) => withHeader('signature', text)),
      ...digests.map((text) => withHeader('content-digest', text)),
      ...others,
    ];
    expect(malformed.length).toBeGreaterThanOrEqual(200);
    for (const request of malformed) {
      if (await accepted(request)) expect.fail(`accepted: ${JSON.stringify(request.rawHeaders)}`);
    }
    expect(await accepted(intact)).toBe(true);
  });
});
