/** Red, green, blue, each 0–255. */
type Colour = readonly [number, number, number];

const PINE: Colour = [0x16, 0x6c, 0x52];
const WHITE: Colour = [0xff, 0xff, 0xff];
const AMBER: Colour = [0xf5, 0x9f, 0x00];

/** Samples per pixel and direction. They make the edges smooth. */
const SAMPLES = 4;

/**
 * The colour at a point of the unit square. The picture is the console's own sign: a rounded tile with a P that stands
 * on a desk.
 */
function colourAt(x: number, y: number, attention: boolean): Colour | undefined {
  if (attention && Math.hypot(x - 0.78, y - 0.22) < 0.22) return AMBER;
  if (!inTile(x, y)) return undefined;
  const onDesk = Math.abs(y - 0.69) < 0.045 && x > 0.22 && x < 0.78;
  const onStem = Math.abs(x - 0.32) < 0.045 && y > 0.28 && y < 0.69;
  const onBowl = Math.abs(Math.hypot(Math.max(x - 0.53, 0), y - 0.44) - 0.13) < 0.045 && x > 0.3 && y < 0.62;
  return onDesk || onStem || onBowl ? WHITE : PINE;
}

function inTile(x: number, y: number): boolean {
  const radius = 0.25;
  const outX = Math.max(Math.abs(x - 0.5) - 0.5 + radius, 0);
  const outY = Math.max(Math.abs(y - 0.5) - 0.5 + radius, 0);
  return Math.hypot(outX, outY) <= radius;
}

/**
 * The tray's icon: paydesk's sign, with a spot in its corner when the operator's attention is needed.
 * @param size width and height in pixels
 * @returns rows of blue, green, red and alpha bytes, with colours multiplied by alpha, as the system's bitmaps have
 *   them
 */
export function trayIcon(attention: boolean, size: number): Buffer {
  const bitmap = Buffer.alloc(size * size * 4);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) bitmap.set(pixel(column, row, size, attention), (row * size + column) * 4);
  }
  return bitmap;
}

function pixel(column: number, row: number, size: number, attention: boolean): number[] {
  const sum = [0, 0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const x = (column + ((sample % SAMPLES) + 0.5) / SAMPLES) / size;
    const y = (row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / size;
    const colour = colourAt(x, y, attention);
    if (colour === undefined) continue;
    const [red, green, blue] = colour;
    for (const [index, value] of [blue, green, red, 0xff].entries()) sum[index] = (sum[index] ?? 0) + value;
  }
  return sum.map((value) => Math.round(value / SAMPLES ** 2));
}
