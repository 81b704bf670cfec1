import { randomUUID } from 'node:crypto';
import { testKey } from '../../../src-main/access/http-signatures/testing/signed-requests.ts';
import { nowInSeconds, type PreparedRequest, prepareAs, type Signable, type Signer } from './raw-client.ts';

interface Cast {
  /** The client in whose name the requests are sent. */
  signer: Signer;
  /** Another client of the node, with tokens of its own. */
  stranger: Signer;
  foreignTokens: { access: string; continuation: string };
}

const components = ({ token, body }: Signable): string[] => [
  '@method',
  '@target-uri',
  ...(token === undefined ? [] : ['authorization']),
  ...(body === undefined ? [] : ['content-digest']),
];

/** Every way in which a request can lack the signature of its client. */
export async function attacks(request: Signable, { signer, stranger, foreignTokens }: Cast): Promise<[string, PreparedRequest][]> {
  const good = prepareAs(signer, request);
  const imposter = await testKey(signer.kid);
  const now = nowInSeconds();
  const { 'signature-input': input = '', signature = '' } = good.headers;
  const withHeaders = (change: Record<string, string | undefined>): PreparedRequest => ({
    ...good,
    headers: Object.fromEntries(Object.entries({ ...good.headers, ...change }).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >,
  });
  const garbage = ['', 'sig1', 'sig1=', '=:AA==:', 'sig1=:AAAA:', `sig1=:${'A'.repeat(86)}:`, '((((', '"', `sig1=${'('.repeat(900)}`];
  const list: [string, PreparedRequest][] = [
    ...components(request).map((dropped): [string, PreparedRequest] => [
      `without ${dropped}`,
      prepareAs(signer, request, { components: components(request).filter((name) => name !== dropped) }),
    ]),
    ['stale', prepareAs(signer, request, { created: now - 301 })],
    ['from the future', prepareAs(signer, request, { created: now + 120 })],
    ['without a time', prepareAs(signer, request, { parameters: `;keyid="${signer.kid}"` })],
    ['at a time that is no number', prepareAs(signer, request, { parameters: `;keyid="${signer.kid}";created="${now}"` })],
    ['past its end', prepareAs(signer, request, { moreParameters: `;expires=${now - 1}` })],
    ['by another key under the same id', prepareAs(imposter, request)],
    ['by another client', prepareAs(stranger, request)],
    ['under another id', prepareAs({ ...signer, kid: 'another' }, request)],
    ['without an id', prepareAs(signer, request, { parameters: `;created=${now}` })],
    ['as another algorithm', prepareAs(signer, request, { moreParameters: ';alg="rsa-v1_5-sha256"' })],
    ['as no algorithm', prepareAs(signer, request, { moreParameters: ';alg="none"' })],
    ['for another protocol', prepareAs(signer, request, { moreParameters: ';tag="other"' })],
    ['for another URL', { ...prepareAs(signer, { ...request, url: `${request.url}x` }), url: request.url }],
    ['for another host', { ...prepareAs(signer, { ...request, url: request.url.replace('127.0.0.1', 'localhost') }), url: request.url }],
    ['for another method', { ...prepareAs(signer, { ...request, method: 'PUT' }), method: request.method }],
    ['with a parameter added', withHeaders({ 'signature-input': `${input};nonce="x"` })],
    ['with the signature under another label', withHeaders({ signature: signature.replace('sig1', 'sig2') })],
    ['with a signature of url-safe base64', withHeaders({ signature: `${signature.slice(0, -4)}_-=:` })],
    ['unsigned', withHeaders({ signature: undefined, 'signature-input': undefined })],
    ['without Signature', withHeaders({ signature: undefined })],
    ['without Signature-Input', withHeaders({ 'signature-input': undefined })],
    ...garbage.flatMap((text): [string, PreparedRequest][] => [
      [`Signature: ${text.slice(0, 20)}`, withHeaders({ signature: text })],
      [`Signature-Input: ${text.slice(0, 20)}`, withHeaders({ 'signature-input': text })],
    ]),
  ];
  if (request.body !== undefined) {
    const swapped = `${request.body.slice(0, -1)} }`;
    const digest = prepareAs(signer, { ...request, body: swapped }).headers['content-digest'] ?? '';
    list.push(
      ['with another body', { ...good, body: request.body.replace(/[a-z](?=[^a-z]*$)/, 'X') }],
      [
        'with another body and its digest',
        { ...withHeaders({ 'content-digest': digest, 'content-length': String(swapped.length) }), body: swapped },
      ],
      ['without the digest it covers', withHeaders({ 'content-digest': undefined })],
      [
        'with a digest of no known kind',
        prepareAs(signer, { ...request, headers: { 'content-digest': 'md5=:nU5M4obKGJ4kx6GzFA6pCQ==:' } }),
      ],
    );
  } else if (request.method !== 'GET') {
    list.push([
      'with a body that was put in',
      { ...withHeaders({ 'content-type': 'application/json', 'content-length': '2' }), body: '{}' },
    ]);
  }
  if (request.token !== undefined) {
    const isContinuation = request.url.includes('/auth/continue/');
    const foreign = isContinuation ? foreignTokens.continuation : foreignTokens.access;
    list.push(
      ['with another client’s token', prepareAs(signer, { ...request, token: foreign })],
      ['with a token of no kind', prepareAs(signer, { ...request, token: randomUUID() })],
      ['with a token of another scheme', prepareAs(signer, { ...request, headers: { authorization: `Bearer ${request.token}` } })],
      ['with an empty token', prepareAs(signer, { ...request, headers: { authorization: 'GNAP ' } })],
      ['with a token that was put in', withHeaders({ authorization: `GNAP ${foreign}` })],
    );
  }
  return list;
}
