import { deflateSync } from 'node:zlib';
import { pngChunk } from '../../src-main/receipts/pdf/testing/png-chunk.ts';
import { dotsOf, type LogoDots } from '../../src-shared/shop/logo-dots.ts';

const SIZE = 160;
const GREEN = [46, 125, 80] as const;
const WHITE = [255, 255, 255] as const;

/** Whether a point belongs to the flower: five petals around a middle that is left white. */
function isPetal(x: number, y: number): boolean {
  const [right, down] = [(x - SIZE / 2) / (SIZE / 2), (y - SIZE / 2) / (SIZE / 2)];
  const away = Math.hypot(right, down);
  return away > 0.2 && away < 0.58 + 0.36 * Math.cos(5 * Math.atan2(right, -down));
}

/** The logo of the shop in the pictures: a flower, as a PNG in base64 and as dots for a receipt printer. */
export function flower(): { data: string; dots: LogoDots } {
  const points = Array.from({ length: SIZE * SIZE }, (_, point) => isPetal(point % SIZE, Math.floor(point / SIZE)));
  const header = Buffer.from([0, 0, 0, SIZE, 0, 0, 0, SIZE, 8, 2, 0, 0, 0]);
  // Each line begins with the number of its filter: none.
  const lines = points.flatMap((isIn, point) => [...(point % SIZE === 0 ? [0] : []), ...(isIn ? GREEN : WHITE)]);
  const png = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(Buffer.from(lines))), pngChunk('IEND', Buffer.alloc(0))];
  const beginning = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return { data: Buffer.concat([beginning, ...png]).toString('base64'), dots: dotsOf(SIZE, points) };
}
