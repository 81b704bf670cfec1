import { createPrivateKey, createPublicKey, hash, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { type NodeKey, NodeKeys } from './node-keys.ts';
import { signedHeaders } from './request-signatures.ts';

// The signing library is only a dependency of the official client, so the test looks for it from there.
const fromClient = createRequire(createRequire(import.meta.url).resolve('@interledger/open-payments'));
const official: {
  validateSignature(jwk: object, request: object): Promise<boolean>;
  validateSignatureHeaders(request: object): boolean;
} = fromClient('@interledger/http-signature-utils');

/** The test vectors of protocol-notes.md#PN-14: 32 bytes of 7, `test-key`, in the second 1700000000. */
const NOW = 1_700_000_000_999;
const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]);
const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
const VECTOR_KEY: NodeKey = {
  jwk: { kid: 'test-key', kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', x: '6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw' },
  thumbprint: '--6IM5l0OosLj9yWskISYhUA3n_3CURQkmrYMSha_ck',
  privateKey,
};

describe('the node', () => {
  it('signs a GET with a token as the official client does', () => {
    const url = 'http://127.0.0.1:3000/op/incoming-payments?first=10&wallet-address=http%3A%2F%2F127.0.0.1%3A3000%2Falice';
    const headers = signedHeaders({ method: 'GET', url, token: 'T0KEN' }, VECTOR_KEY, NOW);
    expect(headers).toEqual({
      accept: 'application/json',
      authorization: 'GNAP T0KEN',
      'signature-input': 'sig1=("@method" "@target-uri" "authorization");keyid="test-key";created=1700000000',
      signature: 'sig1=:1Vz/7YJoyx931KBOnqC5G95iTSeZV4Cp9W0o7EMOAtuBpZWt4ybqJCRdoo9I7yIm4+s5AprdHgWxCB8VvxWhAA==:',
    });
  });

  it('signs a POST with a token and a body as the official client does', () => {
    const body = '{"walletAddress":"http://127.0.0.1:3000/alice"}';
    const request = { method: 'POST', url: 'http://127.0.0.1:3000/op/incoming-payments', token: 'T0KEN', body };
    expect(signedHeaders(request, VECTOR_KEY, NOW)).toMatchObject({
      'content-digest': 'sha-512=:gcsEx23OiqKrrPGEC9ecuhqRzwbty2MQ9R0CioNIMSKhhYS5zkNXDRb5ISIHRVjqIWvySLnNAWl/XH9cqM182g==:',
      'content-length': '47',
      signature: 'sig1=:fesnClXYNP7V0pzZwQ0I3ALKwPj1IJw7gtRJaBUWvJnk0ZlAJaMzYgOi0LepXyBrYA1ysXnuSlNHyLLfSqqaAw==:',
    });
  });

  it.each([
    ['GET with a token', { method: 'GET', token: 't' }],
    ['POST without a body', { method: 'POST', token: 't' }],
    ['POST with a body that is not ASCII', { method: 'POST', token: 't', body: '{"note":"Grüße €"}' }],
    ['grant request', { method: 'POST', body: '{"client":"https://pay.example/alice"}' }],
    ['DELETE', { method: 'DELETE', token: 't' }],
  ])('makes signatures that pass the official verifier: %s', async (_, request) => {
    const key = new NodeKeys({ derive: (purpose) => hash('sha256', purpose, 'buffer') }).of('alice');
    const url = 'https://wallet.example/auth/x?y=%C3%BC';
    const headers = signedHeaders({ ...request, url }, key, NOW);
    const message = { ...request, url, headers };
    expect(official.validateSignatureHeaders(message)).toBe(true);
    expect(await official.validateSignature(key.jwk, message)).toBe(true);
    expect(await official.validateSignature(key.jwk, { ...message, url: `${url}1` })).toBe(false);
  });
});

describe('node keys', () => {
  const keys = (secret: string) => new NodeKeys({ derive: (purpose) => hash('sha256', `${secret} ${purpose}`, 'buffer') });

  it('are the same at every start, differ for each wallet address and node, and have their thumbprint as their id', () => {
    const alice = keys('a').of('alice');
    expect(keys('a').of('alice').jwk).toEqual(alice.jwk);
    const all = [alice, keys('a').of('bob'), keys('b').of('alice')];
    expect(new Set(all.map(({ jwk }) => jwk.x)).size).toBe(3);
    expect(new Set(all.map(({ jwk }) => jwk.kid)).size).toBe(3);
    expect(alice.jwk.kid).toBe(`paydesk-${alice.thumbprint}`);
  });

  it('consist of the public half when they are published', () => {
    const { jwk, privateKey: secret } = keys('a').of('alice');
    expect(Object.keys(jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    const signature = Buffer.from(
      /^sig1=:(.*):$/.exec(signedHeaders({ method: 'GET', url: 'https://a.example/' }, keys('a').of('alice'), 0).signature ?? '')?.[1] ??
        '',
      'base64',
    );
    const base = `"@method": GET\n"@target-uri": https://a.example/\n"@signature-params": ("@method" "@target-uri");keyid="${jwk.kid}";created=0`;
    expect(verify(null, Buffer.from(base), createPublicKey(secret), signature)).toBe(true);
  });
});
