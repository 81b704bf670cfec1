import { hash, sign } from 'node:crypto';
import type { NodeKey } from './node-keys.ts';

/** A request that is about to be sent. */
interface RequestToSign {
  method: string;
  /** The URL, in the form of `new URL(url).href`, because that form goes out. */
  url: string;
  /** Access token or continuation token. */
  token?: string | undefined;
  /** The very bytes that will be sent. */
  body?: string | undefined;
}

/**
 * Makes the headers of a request signed with a node key, exactly as the official client signs (RFC 9421, RFC 9530,
 * protocol-notes.md#PN-11). The signature covers method and URL, the token where there is one, and digest, length and
 * type where there is content. Its parameters are `keyid` and `created`, and no others.
 * @param now milliseconds since the Unix epoch.
 */
export function signedHeaders({ method, url, token, body }: RequestToSign, key: NodeKey, now: number): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  const covered: [string, string][] = [
    ['@method', method],
    ['@target-uri', url],
  ];
  const cover = (name: string, value: string): void => {
    headers[name] = value;
    covered.push([name, value]);
  };
  if (token !== undefined) cover('authorization', `GNAP ${token}`);
  if (body !== undefined) {
    cover('content-digest', `sha-512=:${hash('sha512', body, 'base64')}:`);
    cover('content-length', String(Buffer.byteLength(body)));
    cover('content-type', 'application/json');
  }
  const names = covered.map(([name]) => `"${name}"`).join(' ');
  const parameters = `(${names});keyid="${key.jwk.kid}";created=${Math.floor(now / 1_000)}`;
  const lines = covered.map(([name, value]) => `"${name}": ${value}\n`).join('');
  const signature = sign(null, Buffer.from(`${lines}"@signature-params": ${parameters}`), key.privateKey);
  return { ...headers, 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signature.toString('base64')}:` };
}
