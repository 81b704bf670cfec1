import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { ClientJwk, ClientKey } from '../../client-keys/client-key.ts';

/** The key pair of a client with everything that a test may need of it. */
export interface TestKey {
  kid: string;
  privateKey: KeyObject;
  jwk: ClientJwk;
  thumbprint: string;
  /** What a key finder answers. */
  clientKey: ClientKey;
}

/** Makes a new key. With `seed` it is the key whose 32 private bytes all have that value. */
export async function testKey(kid = 'test-key', seed?: number): Promise<TestKey> {
  const privateKey = seed === undefined ? generateKeyPairSync('ed25519').privateKey : privateKeyOf(Buffer.alloc(32, seed));
  const publicKey = createPublicKey(privateKey);
  const jwk: ClientJwk = { kid, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', x: String(publicKey.export({ format: 'jwk' }).x) };
  const thumbprint = await calculateJwkThumbprint(jwk);
  return { kid, privateKey, jwk, thumbprint, clientKey: { kid, thumbprint, x: jwk.x } };
}

/** The PKCS #8 wrapping of an Ed25519 seed (RFC 8410 §7). */
function privateKeyOf(seed: Buffer): KeyObject {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

export interface RequestToSign {
  method: string;
  url: string;
  /** Access or continuation token, sent as `Authorization: GNAP …`. */
  token?: string;
  /** The exact text to send, as JSON. */
  body?: string | Buffer;
  /** More headers. The signature covers those that `components` names. */
  headers?: Record<string, string>;
}

export interface SigningOptions {
  /** Seconds since the Unix epoch. It is required, because tests decide what time it is. */
  created: number;
  /** The covered components, in place of those of the official client. */
  components?: readonly string[];
  label?: string;
  /** The signature parameters after the list of components. By default they are those of the official client. */
  parameters?: string;
  /** More parameters after the default ones, such as `;nonce="1"`. */
  moreParameters?: string;
  digest?: 'sha-256' | 'sha-512';
}

/**
 * Signs a request as the official client does (protocol-notes.md#PN-11). This signer shares no code with the verifier.
 * @returns the headers, for `fetch` or `inject` with the same method, URL and body.
 */
export function signRequest(
  request: RequestToSign,
  key: Pick<TestKey, 'kid' | 'privateKey'>,
  options: SigningOptions,
): Record<string, string> {
  const headers: Record<string, string> = { ...request.headers };
  if (request.token !== undefined) headers.authorization ??= `GNAP ${request.token}`;
  if (request.body !== undefined) {
    const bytes = Buffer.from(request.body);
    const algorithm = options.digest ?? 'sha-512';
    headers['content-digest'] ??= `${algorithm}=:${hash(algorithm.replace('-', ''), bytes, 'base64')}:`;
    headers['content-length'] ??= String(bytes.length);
    headers['content-type'] ??= 'application/json';
  }
  const components = options.components ?? usualComponents(request);
  const list = components.map((name) => `"${name}"`).join(' ');
  const parameters = `(${list})${options.parameters ?? `;keyid="${key.kid}";created=${options.created}`}${options.moreParameters ?? ''}`;
  const lines = components.map((name) => `"${name}": ${covered(name, request, headers)}`);
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n');
  const label = options.label ?? 'sig1';
  headers['signature-input'] = `${label}=${parameters}`;
  headers.signature = `${label}=:${sign(null, Buffer.from(base, 'latin1'), key.privateKey).toString('base64')}:`;
  return headers;
}

function usualComponents({ token, body }: RequestToSign): string[] {
  const components = ['@method', '@target-uri'];
  if (token !== undefined) components.push('authorization');
  if (body !== undefined) components.push('content-digest', 'content-length', 'content-type');
  return components;
}

function covered(name: string, { method, url }: RequestToSign, headers: Record<string, string>): string {
  const { host, protocol, pathname, search } = new URL(url);
  const derived: Record<string, string> = {
    '@method': method,
    '@target-uri': url,
    '@authority': host,
    '@scheme': protocol.slice(0, -1),
    '@path': pathname,
    '@query': search || '?',
    '@request-target': pathname + search,
  };
  return derived[name] ?? headers[name] ?? '';
}

/** Brings headers into the form of Node's `rawHeaders`. */
export const rawHeadersOf = (headers: Record<string, string>): string[] => Object.entries(headers).flat();
