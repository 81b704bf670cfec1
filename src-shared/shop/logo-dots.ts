/** A logo as a receipt printer in the network prints it: black dots, and no others. */
export interface LogoDots {
  /** Dots in a line, a multiple of eight. */
  readonly width: number;
  /** Lines. */
  readonly height: number;
  /** The lines from the top, each from its left, one bit for a dot, as base64 (RFC 4648 §4). A set bit is black. */
  readonly data: string;
}

/** Whether each of the dots is black, line by line from the top left. */
export function blackDots({ width, height, data }: LogoDots): boolean[] {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return Array.from({ length: width * height }, (_, dot) => ((bytes[dot >> 3] ?? 0) & (0x80 >> (dot & 7))) !== 0);
}

/** Packs dots, line by line from the top left. @param width a multiple of eight */
export function dotsOf(width: number, isBlack: readonly boolean[]): LogoDots {
  const bytes = new Uint8Array(isBlack.length / 8);
  for (const [dot, black] of isBlack.entries()) if (black) bytes[dot >> 3] = (bytes[dot >> 3] ?? 0) | (0x80 >> (dot & 7));
  return { width, height: isBlack.length / width, data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
}
