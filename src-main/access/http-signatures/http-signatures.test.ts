import { describe, expect, it, vi } from 'vitest';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { ClientKey } from '../client-keys/client-key.ts';
import { type KeyProblem, type SignatureProblem, type SignedRequest, type VerifiedSignature, verifySignature } from './http-signatures.ts';
import { type RequestToSign, rawHeadersOf, type SigningOptions, signRequest, testKey } from './testing/signed-requests.ts';

const CREATED = 1_700_000_000;
const POLICY = { now: CREATED * 1_000, maxAgeSeconds: 300, maxSkewSeconds: 60 };
const URL_IN = 'http://127.0.0.1:3000/op/incoming-payments';
const BODY = '{"walletAddress":"http://127.0.0.1:3000/alice"}';
const GET: RequestToSign = {
  method: 'GET',
  url: `${URL_IN}?first=10&wallet-address=http%3A%2F%2F127.0.0.1%3A3000%2Falice`,
  token: 'T0KEN',
};
const POST: RequestToSign = { method: 'POST', url: URL_IN, token: 'T0KEN', body: BODY };

const key = await testKey('test-key', 7);
const stranger = await testKey('test-key');
const findTestKey = async (keyId: string): Promise<Result<ClientKey, KeyProblem>> =>
  keyId === key.kid ? ok(key.clientKey) : refuse('unknown_key');

function received(request: RequestToSign, headers: Record<string, string>): SignedRequest {
  const body = request.body === undefined ? undefined : Buffer.from(request.body);
  return { method: request.method, targetUris: [request.url], rawHeaders: rawHeadersOf(headers), body };
}

function signed(request: RequestToSign, options: Partial<SigningOptions> = {}, by = key): SignedRequest {
  return received(request, signRequest(request, by, { created: CREATED, ...options }));
}

/** @returns the first valid signature. */
async function check(
  request: SignedRequest,
  policy = POLICY,
  find = findTestKey,
): Promise<Result<VerifiedSignature | undefined, SignatureProblem>> {
  const outcome = await verifySignature(request, policy, find);
  return outcome.ok ? ok(outcome.value.signatures[0]) : outcome;
}

async function problemOf(request: SignedRequest, policy = POLICY, find = findTestKey): Promise<SignatureProblem | 'none'> {
  const outcome = await check(request, policy, find);
  return outcome.ok ? 'none' : outcome.error;
}

describe('the verifier and the official client (protocol-notes.md#PN-14)', () => {
  const GET_SIGNATURE = '1Vz/7YJoyx931KBOnqC5G95iTSeZV4Cp9W0o7EMOAtuBpZWt4ybqJCRdoo9I7yIm4+s5AprdHgWxCB8VvxWhAA==';
  const POST_SIGNATURE = 'fesnClXYNP7V0pzZwQ0I3ALKwPj1IJw7gtRJaBUWvJnk0ZlAJaMzYgOi0LepXyBrYA1ysXnuSlNHyLLfSqqaAw==';
  const POST_DIGEST = 'sha-512=:gcsEx23OiqKrrPGEC9ecuhqRzwbty2MQ9R0CioNIMSKhhYS5zkNXDRb5ISIHRVjqIWvySLnNAWl/XH9cqM182g==:';

  it('the verifier accepts the recorded GET and says which key signed it', async () => {
    const outcome = await check(
      received(GET, {
        Authorization: 'GNAP T0KEN',
        'Signature-Input': `sig1=("@method" "@target-uri" "authorization");keyid="test-key";created=${CREATED}`,
        Signature: `sig1=:${GET_SIGNATURE}:`,
      }),
    );
    expect(outcome).toEqual(
      ok({
        keyId: 'test-key',
        thumbprint: '--6IM5l0OosLj9yWskISYhUA3n_3CURQkmrYMSha_ck',
        signature: Buffer.from(GET_SIGNATURE, 'base64'),
        created: CREATED,
        nonce: undefined,
      }),
    );
  });

  it('the verifier accepts the recorded POST', async () => {
    const request = received(POST, {
      Authorization: 'GNAP T0KEN',
      'Content-Digest': POST_DIGEST,
      'Content-Length': '47',
      'Content-Type': 'application/json',
      'Signature-Input': `sig1=("@method" "@target-uri" "authorization" "content-digest" "content-length" "content-type");keyid="test-key";created=${CREATED}`,
      Signature: `sig1=:${POST_SIGNATURE}:`,
    });
    expect(await problemOf(request)).toBe('none');
  });

  it('the tests sign what the official client signs', () => {
    const headers = signRequest(POST, key, { created: CREATED });
    expect(headers.signature).toBe(`sig1=:${POST_SIGNATURE}:`);
    expect(headers['content-digest']).toBe(POST_DIGEST);
    expect(signRequest(GET, key, { created: CREATED }).signature).toBe(`sig1=:${GET_SIGNATURE}:`);
  });
});

describe('what a signature covers: the verifier', () => {
  const all = ['@method', '@target-uri', 'authorization', 'content-digest'];
  it.each(all)('refuses a request whose signature leaves out %s', async (dropped) => {
    const components = all.filter((name) => name !== dropped);
    expect(await problemOf(signed(POST, { components }))).toBe('missing_component');
    expect(await problemOf(signed(POST, { components: all }))).toBe('none');
  });

  it('refuses a body that was put behind a signature without one', async () => {
    const bodyless: RequestToSign = { method: 'POST', url: URL_IN, token: 'T0KEN' };
    const request = signed(bodyless);
    expect(await problemOf(request)).toBe('none');
    expect(await problemOf({ ...request, body: Buffer.from(BODY) })).toBe('missing_component');
  });

  it('refuses a covered field that the request does not have', async () => {
    for (const name of ['x-absent', 'content-length', 'content-digest', 'content-type']) {
      expect(await problemOf(signed(GET, { components: ['@method', '@target-uri', 'authorization', name] }))).toBe('missing_component');
    }
  });

  it('accepts every derived component and extra fields', async () => {
    const components = ['@scheme', '@authority', '@request-target', '@path', '@query', 'x-extra', ...all];
    for (const url of [`${URL_IN}?a=%20b`, URL_IN, 'https://PAY.example:443/', 'https://pay.example:8443/op//x/']) {
      const request = { ...POST, url: new URL(url).href, headers: { 'x-extra': '"1", two' } };
      expect(await problemOf(signed(request, { components })), url).toBe('none');
    }
  });

  it('refuses components with parameters, unknown derived ones, upper-case names and repeated ones', async () => {
    const cases: [string, SignatureProblem][] = [
      ['"content-type";sf', 'unsupported_component'],
      ['"content-type";bs', 'unsupported_component'],
      ['"content-digest";key="sha-512"', 'unsupported_component'],
      ['"@method";req', 'unsupported_component'],
      ['"content-type";tr', 'unsupported_component'],
      ['"@status"', 'unsupported_component'],
      ['"@query-param";name="first"', 'unsupported_component'],
      ['"Content-Type"', 'malformed_signature'],
      ['"@method"', 'malformed_signature'],
      ['content-type', 'malformed_signature'],
    ];
    for (const [component, problem] of cases) {
      const headers = signRequest(POST, key, { created: CREATED });
      headers['signature-input'] = String(headers['signature-input']).replace(')', ` ${component})`);
      expect(await problemOf(received(POST, headers)), component).toBe(problem);
    }
  });

  it('compares a covered length with the bytes that came', async () => {
    const request = { ...POST, headers: { 'content-length': '46' } };
    expect(await problemOf(signed(request))).toBe('length_mismatch');
  });

  it('tries each of the node’s origins', async () => {
    const request = signed(POST);
    expect(await problemOf({ ...request, targetUris: ['https://pay.example/op/incoming-payments', URL_IN] })).toBe('none');
    expect(await problemOf({ ...request, targetUris: ['https://pay.example/op/incoming-payments'] })).toBe('invalid_signature');
    expect(await problemOf({ ...request, targetUris: [] })).toBe('invalid_signature');
  });
});

describe('the time of a signature: the verifier', () => {
  it.each([
    [-300_000, 'none'],
    [-301_000, 'stale'],
    [-300_001, 'stale'],
    [60_000, 'none'],
    [60_001, 'future'],
    [61_000, 'future'],
  ] as const)('finds in a signature that was made %d ms from now the problem "%s"', async (offset, problem) => {
    expect(await problemOf(signed(POST), { ...POLICY, now: POLICY.now - offset })).toBe(problem);
  });

  it('needs the moment of creation as an integer', async () => {
    expect(await problemOf(signed(POST, { parameters: ';keyid="test-key"' }))).toBe('missing_created');
    for (const created of [`"${CREATED}"`, `${CREATED}.0`, `${CREATED}.5`, `@${CREATED}`, '?1', `0${CREATED}`, '-0', `:${CREATED}:`]) {
      const request = signed(POST, { parameters: `;keyid="test-key";created=${created}` });
      expect(await problemOf(request), created).toBe('malformed_signature');
    }
  });

  it('refuses a signature that has expired', async () => {
    expect(await problemOf(signed(POST, { moreParameters: `;expires=${CREATED + 1}` }))).toBe('none');
    expect(await problemOf(signed(POST, { moreParameters: `;expires=${CREATED}` }))).toBe('expired');
    expect(await problemOf(signed(POST, { moreParameters: ';expires="never"' }))).toBe('malformed_signature');
  });
});

describe('keys and algorithms: the verifier', () => {
  it('refuses another key under the same id', async () => {
    expect(await problemOf(signed(POST, {}, stranger))).toBe('invalid_signature');
  });

  it('verifies each request with the same claims by its own signature', async () => {
    const [mine, theirs] = [signed(GET), signed(GET, {}, stranger)];
    const inputOf = ({ rawHeaders }: SignedRequest) => rawHeaders[rawHeaders.indexOf('Signature-Input') + 1];
    expect(inputOf(mine)).toBe(inputOf(theirs));
    const problems = [];
    for (const request of [mine, theirs, mine, theirs]) problems.push(await problemOf(request));
    expect(problems).toEqual(['none', 'invalid_signature', 'none', 'invalid_signature']);
  });

  it('reports that there is no key', async () => {
    expect(await problemOf(signed(POST, {}, { ...key, kid: 'other' }))).toBe('unknown_key');
    expect(await problemOf(signed(POST), POLICY, async () => refuse('key_unavailable'))).toBe('key_unavailable');
    expect(await problemOf(signed(POST, { parameters: `;created=${CREATED}` }))).toBe('missing_key_id');
    expect(await problemOf(signed(POST, { parameters: `;keyid=test-key;created=${CREATED}` }))).toBe('malformed_signature');
  });

  it('refuses a key that has another id', async () => {
    const find = async (): Promise<Result<ClientKey, KeyProblem>> => ok({ ...key.clientKey, kid: 'other' });
    expect(await problemOf(signed(POST), POLICY, find)).toBe('key_id_mismatch');
  });

  it('accepts an algorithm parameter only when it names the key’s algorithm', async () => {
    expect(await problemOf(signed(POST, { moreParameters: ';alg="ed25519"' }))).toBe('none');
    for (const algorithm of ['hmac-sha256', 'rsa-v1_5-sha256', 'ecdsa-p256-sha256', 'Ed25519', 'none']) {
      expect(await problemOf(signed(POST, { moreParameters: `;alg="${algorithm}"` })), algorithm).toBe('algorithm_mismatch');
    }
    expect(await problemOf(signed(POST, { moreParameters: ';alg=ed25519' }))).toBe('malformed_signature');
  });

  it('refuses a tag of another protocol and returns a nonce', async () => {
    expect(await problemOf(signed(POST, { moreParameters: ';tag="gnap"' }))).toBe('none');
    expect(await problemOf(signed(POST, { moreParameters: ';tag="web-bot-auth"' }))).toBe('invalid_tag');
    expect(await check(signed(POST, { moreParameters: ';nonce="n-1"' }))).toMatchObject({ ok: true, value: { nonce: 'n-1' } });
    expect(await problemOf(signed(POST, { moreParameters: ';nonce=""' }))).toBe('malformed_signature');
  });

  it('refuses signatures that anybody could make, with R of small order, or with S zero, one or too large', async () => {
    const points = ['01', `ec${'ff'.repeat(30)}7f`, '00', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'];
    const scalars = ['00', '01', 'ff'.repeat(32), 'edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010'];
    const headers = signRequest(POST, key, { created: CREATED });
    for (const hex of points.flatMap((point) => scalars.map((scalar) => point.padEnd(64, '0') + scalar.padEnd(64, '0')))) {
      const signature = `sig1=:${Buffer.from(hex, 'hex').toString('base64')}:`;
      expect(await problemOf(received(POST, { ...headers, signature })), hex).toBe('invalid_signature');
    }
  });

  it('refuses the other spelling of a signature (S + L)', async () => {
    const request = received(POST, signRequest(POST, key, { created: CREATED }));
    const at = request.rawHeaders.indexOf('signature') + 1;
    const bytes = Buffer.from(String(request.rawHeaders[at]).slice('sig1=:'.length, -1), 'base64');
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
    const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()]);
    const rawHeaders = request.rawHeaders.with(at, `sig1=:${other.toString('base64')}:`);
    expect(await problemOf({ ...request, rawHeaders })).toBe('invalid_signature');
  });
});

describe('labels: the verifier', () => {
  it.each(['sig1', 'sig', 'gnap-sig', '*', 'a.b_c-d*9'])('accepts the label %s', async (label) => {
    expect(await problemOf(signed(POST, { label }))).toBe('none');
  });

  const two = (first: Record<string, string>, second: Record<string, string>): Record<string, string> => ({
    ...second,
    'signature-input': `${first['signature-input']}, ${second['signature-input']}`,
    signature: `${second.signature},${first.signature}`,
  });

  it('accepts a request when one of its signatures meets the rules', async () => {
    const bad = signRequest(POST, stranger, { created: CREATED, label: 'proxy' });
    const good = signRequest(POST, key, { created: CREATED, label: 'sig1' });
    expect(await problemOf(received(POST, two(bad, good)))).toBe('none');
    expect(await problemOf(received(POST, two(good, bad)))).toBe('none');
    const worse = signRequest(POST, key, { created: CREATED - 301, label: 'old' });
    expect(await problemOf(received(POST, two(worse, bad)))).toBe('stale');
  });

  it('names every valid signature of a request, and none that is not', async () => {
    const one = signRequest(POST, key, { created: CREATED, label: 'one' });
    const other = signRequest(POST, key, { created: CREATED, label: 'other', moreParameters: ';n=2' });
    const bad = signRequest(POST, stranger, { created: CREATED, label: 'proxy' });
    const outcome = await verifySignature(received(POST, two(bad, two(one, other))), POLICY, findTestKey);
    expect(outcome.ok && outcome.value.signatures.map(({ signature }) => `:${signature.toString('base64')}:`).sort()).toEqual(
      [one, other].map(({ signature }) => String(signature).replace(/^[a-z]+=/, '')).sort(),
    );
  });

  it('refuses a request with a signature that may count later, because a copy with that one alone would look new', async () => {
    const good = signRequest(POST, key, { created: CREATED, label: 'now' });
    const future = signRequest(POST, key, { created: CREATED + 61, label: 'later' });
    expect(await problemOf(received(POST, two(good, future)))).toBe('future');
    const hidden = signRequest(POST, { ...key, kid: 'away' }, { created: CREATED, label: 'later' });
    const find = async (keyId: string): Promise<Result<ClientKey, KeyProblem>> =>
      keyId === 'away' ? refuse('key_unavailable') : await findTestKey(keyId);
    expect(await problemOf(received(POST, two(hidden, good)), POLICY, find)).toBe('key_unavailable');
  });

  it('takes four signatures, and refuses more before it looks up a key', async () => {
    const find = vi.fn(findTestKey);
    let headers = signRequest(POST, key, { created: CREATED, label: 'sig9' });
    for (let i = 0; i < 3; i++) headers = two(signRequest(POST, stranger, { created: CREATED, label: `sig${i}` }), headers);
    expect(await problemOf(received(POST, headers), POLICY, find)).toBe('none');
    expect(find).toHaveBeenCalledTimes(4);
    headers = two(signRequest(POST, stranger, { created: CREATED, label: 'sig4' }), headers);
    expect(await problemOf(received(POST, headers), POLICY, find)).toBe('too_many_signatures');
    expect(find).toHaveBeenCalledTimes(4);
  });

  it('takes a nonce of 128 characters and no longer one', async () => {
    const withNonce = (length: number) => problemOf(signed(POST, { moreParameters: `;nonce="${'n'.repeat(length)}"` }));
    expect([await withNonce(128), await withNonce(129)]).toEqual(['none', 'nonce_too_long']);
  });

  it('recognises a repetition that the official client has not signed again, and nothing like it (protocol-notes.md#PN-38)', async () => {
    const good = signRequest(POST, key, { created: CREATED });
    const word = 'undefined';
    const unsigned = { signature: word, 'signature-input': word };
    for (const method of ['GET', 'DELETE'])
      expect(await problemOf({ ...received(POST, { ...good, ...unsigned }), method })).toBe('unsigned_repetition');
    // The client never repeats a POST.
    expect(await problemOf(received(POST, { ...good, ...unsigned }))).toBe('malformed_signature');
    expect(await problemOf(received(POST, { ...good, signature: word }))).toBe('missing_signature');
    expect(await problemOf(received(POST, { ...good, 'signature-input': word }))).toBe('missing_signature');
    const twice = { ...good, signature: `${word}, ${good.signature}`, 'signature-input': `${word}, ${good['signature-input']}` };
    expect(await problemOf(received(POST, twice))).toBe('none');
  });

  it('refuses fields that are longer than any client needs', async () => {
    const good = signRequest(POST, key, { created: CREATED });
    for (const field of ['signature', 'signature-input', 'content-digest']) {
      const padded = (length: number) => {
        const text = String(good[field]);
        return problemOf(received(POST, { ...good, [field]: `${text},${' '.repeat(length - text.length - 4)}x=1` }));
      };
      // The digest is covered, so a padded one does not verify, but it is read.
      expect(await padded(4_096), field).toBe(field === 'content-digest' ? 'invalid_signature' : 'none');
      expect(await padded(4_097), field).toBe(field === 'content-digest' ? 'digest_mismatch' : 'malformed_signature');
    }
    const components = ['@method', '@target-uri', 'authorization', 'content-digest', ...Array.from({ length: 29 }, (_, at) => `x-${at}`)];
    const headers = Object.fromEntries(components.slice(4).map((name) => [name, '1']));
    expect(await problemOf(signed({ ...POST, headers }, { components: components.slice(0, 32) }))).toBe('none');
    expect(await problemOf(signed({ ...POST, headers }, { components }))).toBe('malformed_signature');
  });

  it('refuses content that is announced and that nobody has read', async () => {
    for (const announced of [
      ['content-length', '2'],
      ['transfer-encoding', 'chunked'],
    ]) {
      const request = signed(GET);
      expect(await problemOf({ ...request, rawHeaders: [...request.rawHeaders, ...announced] })).toBe('missing_component');
    }
    const empty = signed(GET);
    expect(await problemOf({ ...empty, rawHeaders: [...empty.rawHeaders, 'content-length', '0'] })).toBe('none');
  });

  it('joins fields that come in several lines', async () => {
    const bad = signRequest(POST, stranger, { created: CREATED, label: 'proxy' });
    const good = signed(POST);
    const lines = ['Signature', String(bad.signature), 'Signature-Input', String(bad['signature-input'])];
    expect(await problemOf({ ...good, rawHeaders: [...good.rawHeaders, ...lines] })).toBe('none');
    expect(await problemOf({ ...good, rawHeaders: [...lines, ...good.rawHeaders] })).toBe('none');
  });

  it('refuses a second Authorization line, signed or not', async () => {
    const good = signed(POST);
    expect(await problemOf({ ...good, rawHeaders: [...good.rawHeaders, 'AUTHORIZATION', 'GNAP T0KEN'] })).toBe('duplicate_header');
    expect(await problemOf({ ...good, rawHeaders: ['authorization', 'GNAP X', ...good.rawHeaders] })).toBe('duplicate_header');
  });

  it('does not let a field in a second line pass for the signed one', async () => {
    const good = signed(POST);
    expect(await problemOf({ ...good, rawHeaders: [...good.rawHeaders, 'content-digest', 'sha-256=:AAAA:'] })).toBe('digest_mismatch');
    expect(await problemOf({ ...good, rawHeaders: [...good.rawHeaders, 'content-digest', 'md5=:AAAA:'] })).toBe('invalid_signature');
  });
});

describe('other implementations (protocol-notes.md#PN-12): the verifier', () => {
  it.each([
    ['Go and .NET', { parameters: `;created=${CREATED};keyid="test-key";alg="ed25519"` }],
    ['Rust', { parameters: `;created=${CREATED};keyid="test-key"` }],
    ['PHP', { parameters: `;keyid="test-key";created=${CREATED}` }],
    ['RFC 9635', { parameters: `;created=${CREATED};keyid="test-key";nonce="NAOEJF12ER2";tag="gnap"`, digest: 'sha-256' }],
  ] as const)('accepts what %s sends', async (_, options) => {
    expect(await problemOf(signed(POST, options))).toBe('none');
    expect(await problemOf(signed(GET, options))).toBe('none');
  });

  it('accepts a covered content-type without a body', async () => {
    const request = { ...GET, headers: { 'content-type': 'application/json' } };
    expect(await problemOf(signed(request, { components: ['@method', '@target-uri', 'authorization', 'content-type'] }))).toBe('none');
  });
});
