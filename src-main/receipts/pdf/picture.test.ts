import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pictureOf } from './picture.ts';
import { pngChunk } from './testing/png-chunk.ts';

/** A JPEG of two lines of three pixels, as far as its header. */
const jpeg = ({ parts = 3, end = 'ffd9', frame = 'c0' } = {}) =>
  Buffer.from(`ffd8ffe00004aaaaff${frame}000b0800020003${Buffer.of(parts).toString('hex')}010101ffda0002${end}`, 'hex');

interface Drawn {
  width: number;
  depth: number;
  colour: number;
  /** The lines, each with the number of its filter before it. */
  lines: Buffer[];
  more?: Record<string, Buffer>;
  interlaced?: boolean;
}

function png({ width, depth, colour, lines, more = {}, interlaced = false }: Drawn): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(lines.length, 4);
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  const data = deflateSync(Buffer.concat(lines));
  const half = Math.floor(data.length / 2);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...Object.entries(more).map(([name, bytes]) => pngChunk(name, bytes)),
    // What is packed may be divided anywhere.
    ...[data.subarray(0, half), data.subarray(half)].map((part) => pngChunk('IDAT', part)),
    pngChunk('IEND', Buffer.alloc(0)),
    Buffer.from('after the end'),
  ]);
}

/** What the filters of PNG leave of lines of pixels: each byte less what the filter guesses. */
function filtered(lines: readonly Buffer[], filters: readonly number[], step: number): Buffer[] {
  return lines.map((line, y) => {
    const filter = filters[y] ?? 0;
    const left = line.map((_, x) => {
      const a = line[x - step] ?? 0;
      const b = lines[y - 1]?.[x] ?? 0;
      const c = x < step ? 0 : (lines[y - 1]?.[x - step] ?? 0);
      const near = [a, b, c].toSorted((one, other) => Math.abs(a + b - c - one) - Math.abs(a + b - c - other))[0] ?? 0;
      return (line[x] ?? 0) - ([0, a, b, (a + b) >> 1, near][filter] ?? 0);
    });
    return Buffer.concat([Buffer.of(filter), left]);
  });
}

const RED_GREEN = { width: 2, depth: 8, colour: 2, lines: [Buffer.of(0, 255, 0, 0, 0, 255, 0)] };

describe('a picture in a PDF file', () => {
  it('is a JPEG as it is, in colours or grey', async () => {
    const picture = await pictureOf(jpeg(), 'image/jpeg');
    expect(picture).toMatchObject({ width: 3, height: 2, data: jpeg(), opacity: undefined });
    expect(picture?.entries).toMatch(/\/ColorSpace \/DeviceRGB .*\/Filter \/DCTDecode$/);
    expect((await pictureOf(jpeg({ parts: 1, frame: 'c2' }), 'image/jpeg'))?.entries).toContain('/DeviceGray');
  });

  it('is a PNG as it is, while nothing shines through it', async () => {
    const picture = await pictureOf(png(RED_GREEN), 'image/png');
    expect(picture).toMatchObject({ width: 2, height: 1, opacity: undefined });
    expect(inflateSync(picture?.data ?? Buffer.alloc(0))).toEqual(RED_GREEN.lines[0]);
    expect(picture?.entries).toContain('/DecodeParms << /Predictor 15 /Colors 3 /BitsPerComponent 8 /Columns 2 >>');
    const keyed = await pictureOf(png({ ...RED_GREEN, more: { tRNS: Buffer.of(0, 255, 0, 0, 0, 0) } }), 'image/png');
    expect(keyed?.entries).toContain('/Mask [255 255 0 0 0 0]');
  });

  it('has the colours of a palette, and what shines through them', async () => {
    const more = { PLTE: Buffer.from('ff000000ff000000ff', 'hex'), tRNS: Buffer.of(0, 128) };
    const drawn = { width: 3, depth: 2, colour: 3, lines: [Buffer.of(0, 0b00_01_10_00)] };
    const picture = await pictureOf(png({ ...drawn, more }), 'image/png');
    expect(picture?.entries).toContain('/ColorSpace [/Indexed /DeviceRGB 2 <ff000000ff000000ff>] /BitsPerComponent 2');
    expect(inflateSync(picture?.opacity?.data ?? Buffer.alloc(0))).toEqual(Buffer.of(0, 128, 255));
    expect(await pictureOf(png(drawn), 'image/png')).toBeUndefined();
  });

  it('has the same pixels and opacities, whatever filters its lines have', async () => {
    const any = fc.constantFrom(...[8, 16].flatMap((depth) => [4, 6].map((colour) => ({ depth, colour }))));
    await fc.assert(
      fc.asyncProperty(
        any,
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat(255)),
        async (kind, filters, chance) => {
          const size = kind.depth / 8;
          const samples = kind.colour === 4 ? 2 : 4;
          const pixels = filters.map(() => Array.from({ length: 5 }, () => Buffer.from([...chance.take(samples * size)])));
          const lines = filtered(
            pixels.map((line) => Buffer.concat(line)),
            filters,
            samples * size,
          );
          const picture = await pictureOf(png({ width: 5, ...kind, lines }), 'image/png');
          const all = pixels.flat();
          const data = (of: { data: Buffer } | undefined) => inflateSync(of?.data ?? Buffer.alloc(0)).toString('hex');
          expect(data(picture)).toBe(Buffer.concat(all.map((one) => one.subarray(0, -size))).toString('hex'));
          expect(data(picture?.opacity)).toBe(Buffer.concat(all.map((one) => one.subarray(-size))).toString('hex'));
          expect(picture?.entries).toContain(samples === 2 ? '/DeviceGray' : '/DeviceRGB');
        },
      ),
    );
  });

  it.each([
    ['WebP', Buffer.from('RIFF0000WEBPVP8 '), 'image/webp'],
    ['a JPEG for print', jpeg({ parts: 4 }), 'image/jpeg'],
    ['a JPEG without its end', jpeg({ end: '' }), 'image/jpeg'],
    ['a JPEG without a size', Buffer.from('ffd8ffd9', 'hex'), 'image/jpeg'],
    ['an interlaced PNG', png({ ...RED_GREEN, interlaced: true }), 'image/png'],
    ['a PNG that is cut off', png(RED_GREEN).subarray(0, 60), 'image/png'],
    ['a PNG with a line too few', png({ ...RED_GREEN, width: 3 }), 'image/png'],
    ['a PNG with a filter that is none', png({ ...RED_GREEN, lines: [Buffer.of(5, 255, 0, 0, 0, 255, 0)] }), 'image/png'],
    ['a PNG of a type that is none', png({ ...RED_GREEN, colour: 5 }), 'image/png'],
    ['a PNG of bits that its type has not', png({ ...RED_GREEN, depth: 4 }), 'image/png'],
    ['a PNG of too many pixels', png({ ...RED_GREEN, width: 0x7fff_ffff }), 'image/png'],
  ] as const)('is not made of %s', async (_, bytes, type) => {
    expect(await pictureOf(bytes, type)).toBeUndefined();
  });

  it('is made of any bytes or not, without an error', async () => {
    const whole = [png(RED_GREEN), jpeg()] as const;
    const damaged = fc.tuple(fc.nat(1), fc.nat(200), fc.uint8Array({ maxLength: 8 })).map(([nth, at, bytes]) => {
      const copy = Buffer.from(whole[nth === 0 ? 0 : 1]);
      copy.set(bytes.subarray(0, Math.max(0, copy.length - at)), Math.min(at, copy.length));
      return { copy, type: nth === 0 ? ('image/png' as const) : ('image/jpeg' as const) };
    });
    await fc.assert(fc.asyncProperty(damaged, async ({ copy, type }) => void (await pictureOf(copy, type))));
  });
});
