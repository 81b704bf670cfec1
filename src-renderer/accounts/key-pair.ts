/** A public key as a JWK, in the form the node takes. */
interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  alg: 'EdDSA';
  use: 'sig';
  kid: string;
  /** The 32 bytes as base64url. */
  x: string;
}

export interface KeyPair {
  publicJwk: PublicJwk;
  /** The private key for the app: PKCS #8 in PEM. It is kept nowhere. */
  privatePem: string;
}

const toBase64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const toBase64Url = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const jwkOf = (x: string): PublicJwk => ({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: crypto.randomUUID(), x });

/** Makes a key pair in this browser. @returns undefined when the browser cannot make Ed25519 keys */
export async function makeKeyPair(): Promise<KeyPair | undefined> {
  // A page that came over plain http from another computer has no `crypto.subtle`, although its type says otherwise.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) return undefined;
  try {
    const made = await subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    if (!('privateKey' in made)) return undefined;
    const [pkcs8, raw] = await Promise.all([subtle.exportKey('pkcs8', made.privateKey), subtle.exportKey('raw', made.publicKey)]);
    const lines = toBase64(pkcs8).match(/.{1,64}/g) ?? [];
    const privatePem = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
    return { publicJwk: jwkOf(toBase64Url(toBase64(raw))), privatePem };
  } catch {
    return undefined;
  }
}

/** The beginning of every Ed25519 public key in SPKI (RFC 8410 §4): 12 bytes, 16 characters in base64. */
const SPKI_HEAD = 'MCowBQYDK2VwAyEA';

/**
 * The key as the node takes it: a public key in PEM becomes a JWK, and a key set with one key becomes that key. Any
 * other text stays as it is.
 */
export function toJwkText(text: string): string {
  const pem = /-----BEGIN PUBLIC KEY-----([\s\S]*?)-----END PUBLIC KEY-----/.exec(text)?.[1]?.replace(/\s/g, '');
  if (pem?.startsWith(SPKI_HEAD)) return JSON.stringify(jwkOf(toBase64Url(pem.slice(SPKI_HEAD.length))));
  try {
    const parsed: unknown = JSON.parse(text);
    const keys = typeof parsed === 'object' && parsed !== null && 'keys' in parsed && Array.isArray(parsed.keys) ? parsed.keys : [];
    return keys.length === 1 ? JSON.stringify(keys[0]) : text.trim();
  } catch {
    return text.trim();
  }
}

/** A file name made from the label of a key. */
export const pemName = (label: string): string =>
  `${
    label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40) || 'private-key'
  }.pem`;
