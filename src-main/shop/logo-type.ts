/** The pictures that are taken, by what they are served as. SVG is not among them: it can run scripts. */
const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

const ascii = (bytes: Uint8Array, from: number, to: number): string => Buffer.from(bytes.subarray(from, to)).toString('latin1');

/**
 * Says what a picture is by its first bytes, whatever its name says: PNG (RFC 2083 §3.1), JPEG (ITU-T T.81, markers SOI
 * and the next one) or WebP (RFC 9649 §2.4). It is undefined for everything else.
 */
export function logoTypeOf(bytes: Uint8Array): LogoType | undefined {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' && ascii(bytes, 12, 16) === 'IHDR') return 'image/png';
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (ascii(bytes, 0, 4) === 'RIFF' && /^WEBPVP8[ LX]$/.test(ascii(bytes, 8, 16))) return 'image/webp';
  return undefined;
}
