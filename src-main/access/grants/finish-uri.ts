import { createHash } from 'node:crypto';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
// A private-use scheme is a reversed domain name with a dot (RFC 8252 §7.1, §8.4). No scheme that a browser runs
// itself has a dot.
const APP_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/**
 * Whether the node may send a browser there after a decision: https, http on loopback, or an app's own scheme, without
 * user information (decisions.md#D-35).
 */
export function isFinishUri(text: string): boolean {
  if (!/^[\x21-\x7e]{1,2048}$/.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)) || APP_SCHEME.test(url.protocol);
}

/** The URI with more query parameters. The rest stays as the client wrote it. */
export function withParameters(uri: string, parameters: Record<string, string>): string {
  const [before = '', ...fragment] = uri.split('#');
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const separator = before.includes('?') ? (/[?&]$/.test(before) ? '' : '&') : '?';
  return [before + separator + added.join('&'), ...fragment].join('#');
}

interface HashedInteraction {
  clientNonce: string;
  serverNonce: string;
  interactRef: string;
  /** The URL the grant request was sent to. */
  endpoint: string;
}

/**
 * The interaction hash (RFC 9635 §4.2.3) as Open Payments clients compute it: SHA-256, standard base64 with padding.
 */
export function interactionHash({ clientNonce, serverNonce, interactRef, endpoint }: HashedInteraction): string {
  return createHash('sha256').update([clientNonce, serverNonce, interactRef, endpoint].join('\n')).digest('base64');
}
