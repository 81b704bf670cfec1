import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { ClientJwk, ClientKey } from '../../client-keys/client-key.ts';

/** A client's key pair with everything a test may want of it. */
export interface TestKey {
  kid: string;
  privateKey: KeyObject;
  jwk: ClientJwk;
  thumbprint: string;
  /** What a key finder answers. */
  clientKey: ClientKey;
}

/** A fresh key, or with `seed` the one whose 32 private bytes are all that number. */
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
  /** The very bytes to send, as JSON text. */
  body?: string | Buffer;
  /** Sent as they are; covered only when named in `components`. */
  headers?: Record<string, string>;
}

export interface SigningOptions {
  /** Seconds since the Unix epoch; required, because tests own time. */
  created: number;
  /** Instead of what the official client covers. */
  components?: readonly string[];
  label?: string;
  /** Signature parameters after the component list; by default those of the official client. */
  parameters?: string;
  /** Extra parameters behind the default ones, such as `;nonce="1"`. */
  moreParameters?: string;
  digest?: 'sha-256' | 'sha-512';
}

/**
 * The headers of a request signed as the official client signs it (facts §3.1), by a signer that shares no code with the
 * verifier. Give them to `fetch` or `inject` with the same method, URL and body.
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

/** Headers in the form of node's `rawHeaders`. */
export const rawHeadersOf = (headers: Record<string, string>): string[] => Object.entries(headers).flat();
