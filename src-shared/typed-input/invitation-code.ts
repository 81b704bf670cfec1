/** What a code for becoming a peer says: where the inviting node is, and the secret that proves the invitation. */
interface InvitationCode {
  /** The public origin of the inviting node, such as `https://pay.example`. */
  readonly origin: string;
  /** 16 bytes. */
  readonly secret: Uint8Array;
}

/** `unknown`: the text is no such code at all. `broken`: it is one, and a part of it is missing or changed. */
type CodeProblem = 'unknown' | 'broken';

const PREFIX = 'paydesk-invite-';
/** Lower-case letters and digits without those that look like others (RFC 4648 §6). A chat changes none of them. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const SECRET_BYTES = 16;
const CHECKSUM_BYTES = 4;
/** The first byte says how the address begins; the rest of the address stands in the code. */
const SCHEMES = ['https://', 'http://'] as const;

/** Writes a code as text to be pasted. */
export function writeInvitationCode({ origin, secret }: InvitationCode): string {
  const scheme = SCHEMES.findIndex((one) => origin.startsWith(one));
  const host = new TextEncoder().encode(origin.slice(SCHEMES[scheme]?.length));
  const content = Uint8Array.from([scheme, ...secret, ...host]);
  return PREFIX + toText(Uint8Array.from([...content, ...checksum(content)]));
}

/** Reads a code as somebody has pasted it. White space and capital letters do not matter. */
export function readInvitationCode(text: string): InvitationCode | CodeProblem {
  const typed = text.replaceAll(/\s/g, '').toLowerCase();
  if (!typed.startsWith(PREFIX)) return 'unknown';
  const bytes = toBytes(typed.slice(PREFIX.length));
  if (bytes === undefined || bytes.length <= 1 + SECRET_BYTES + CHECKSUM_BYTES) return 'broken';
  const content = bytes.subarray(0, -CHECKSUM_BYTES);
  if (checksum(content).some((byte, at) => byte !== bytes[content.length + at])) return 'broken';
  const scheme = SCHEMES[content[0] ?? -1];
  const origin = `${scheme}${new TextDecoder().decode(content.subarray(1 + SECRET_BYTES))}`;
  // Whoever wrote the code may have put anything into it.
  if (scheme === undefined || URL.parse(origin)?.origin !== origin) return 'broken';
  return { origin, secret: content.slice(1, 1 + SECRET_BYTES) };
}

/** Writes five bits as each character. The last character is filled up with zeros. */
function toText(bytes: Uint8Array): string {
  let [text, bits, held] = ['', 0, 0];
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    held += 8;
    while (held >= 5) {
      held -= 5;
      text += ALPHABET.charAt((bits >> held) & 31);
    }
    bits &= (1 << held) - 1;
  }
  return held === 0 ? text : text + ALPHABET.charAt((bits << (5 - held)) & 31);
}

function toBytes(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const character of text) {
    const value = ALPHABET.indexOf(character);
    if (value === -1) return undefined;
    bits = (bits << 5) | value;
    held += 5;
    if (held >= 8) {
      held -= 8;
      bytes.push((bits >> held) & 255);
    }
    bits &= (1 << held) - 1;
  }
  return Uint8Array.from(bytes);
}

/** CRC-32 (ISO 3309), as four bytes. It finds a part that is missing or changed; it protects against nobody. */
function checksum(bytes: Uint8Array): Uint8Array {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  const sum = ~rest >>> 0;
  return Uint8Array.from([sum >>> 24, (sum >>> 16) & 255, (sum >>> 8) & 255, sum & 255]);
}
