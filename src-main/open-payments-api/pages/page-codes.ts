import { qrPath } from '../../../src-shared/receipts/qr-path.ts';

/** A code takes about a millisecond of the processor and 10 KB, and whoever has a link may ask for it often. */
const MOST_KEPT = 100;

/** Addresses of pages as QR codes. It remembers the last ones. */
export class PageCodes {
  readonly #kept = new Map<string, string>();

  /** @returns an SVG picture */
  of(url: string): string {
    const kept = this.#kept.get(url);
    if (kept !== undefined) return kept;
    const { size, path } = qrPath(url);
    const square = `viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"`;
    const code = `<svg xmlns="http://www.w3.org/2000/svg" ${square}><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(url, code);
    return code;
  }
}
