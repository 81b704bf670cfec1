const PRIME = 2n ** 255n - 19n;

// The y coordinates of the eight points whose order divides the cofactor. Each but the first two belongs to two points.
const ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const SMALL_ORDER = new Set([0n, 1n, PRIME - 1n, ORDER_8, PRIME - ORDER_8].map(encoded));

/**
 * Whether 32 bytes can be a point that only someone with the private key can sign for: canonically encoded (RFC 8032
 * §5.1.3) and not of small order. Anyone can make a signature over any message for a public key of small order, and
 * not every crypto library refuses such a key: OpenSSL 3.5 does, 3.0 does not.
 */
export function isStrictPoint(bytes: Uint8Array): boolean {
  return bytes.length === 32 && number(bytes) < PRIME && !hasSmallOrder(bytes);
}

/** Whether canonical 32 bytes encode a point of small order. */
export function hasSmallOrder(bytes: Uint8Array): boolean {
  return SMALL_ORDER.has(withoutSign(bytes));
}

/** The first 32 bytes without the sign of x, one byte a character. */
function withoutSign(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, 31).toString('latin1') + String.fromCharCode((bytes[31] ?? 0) & 0x7f);
}

function number(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n);
}

function encoded(y: bigint): string {
  return withoutSign(Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse());
}
