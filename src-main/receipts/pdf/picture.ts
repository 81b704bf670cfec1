import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { LogoType } from '../../shop/logo-type.ts';

const inflated = promisify(inflate);
const deflated = promisify<Buffer, Buffer>(deflate);

/** A picture as objects of a PDF file (ISO 32000-1, 8.9.5). */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** The entries of its dictionary, without length and mask. */
  readonly entries: string;
  readonly data: Buffer;
  /** How opaque each pixel is, as a picture of its own. It is undefined when all of them are wholly opaque. */
  readonly opacity: Picture | undefined;
}

/** The most bytes that the pixels of a picture have when they are unpacked. */
const MOST_BYTES = 16_000_000;

/**
 * A picture as a PDF file has it. JPEG is taken as it is, and PNG without what interlaces it.
 * @returns undefined for WebP, which PDF does not know, for what is broken, and for more than 16 MB of pixels
 */
export async function pictureOf(bytes: Buffer, type: LogoType): Promise<Picture | undefined> {
  try {
    if (type === 'image/jpeg') return jpegOf(bytes);
    return type === 'image/png' ? await pngOf(bytes) : undefined;
  } catch (error) {
    // The bytes end too soon, or cannot be unpacked.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

const dictionaryOf = (width: number, height: number, space: string, bits: number, filter: string): string =>
  `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace ${space} /BitsPerComponent ${bits} /Filter ${filter}`;

/** Looks for the size of a JPEG, and for its end (ITU-T T.81, annex B). Pictures for print (CMYK) are not taken. */
function jpegOf(bytes: Buffer): Picture | undefined {
  if (bytes.lastIndexOf(Buffer.from('ffd9', 'hex')) < 0) return undefined;
  for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    // Baseline, extended and progressive frames; PDF knows no others.
    if (marker < 0xc0 || marker > 0xc2) continue;
    const [height, width, parts] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7), bytes.readUInt8(at + 9)];
    if (width === 0 || height === 0 || (parts !== 1 && parts !== 3)) return undefined;
    const entries = dictionaryOf(width, height, parts === 1 ? '/DeviceGray' : '/DeviceRGB', 8, '/DCTDecode');
    return { width, height, entries, data: bytes, opacity: undefined };
  }
  return undefined;
}

/** The header of a PNG. */
interface Png {
  width: number;
  height: number;
  /** The bits of a sample. */
  depth: number;
  colour: Colour;
  samples: number;
}

const GREY = 0;
const PALETTE = 3;
const GREY_ALPHA = 4;
const RGB_ALPHA = 6;
/** The filter with the greatest number (PNG, 9.2). */
const PAETH = 4;
/** How many samples a pixel has, and how many bits a sample may have, by the type of colour (PNG, 11.2.2). */
const SAMPLES = { [GREY]: 1, 2: 3, [PALETTE]: 1, [GREY_ALPHA]: 2, [RGB_ALPHA]: 4 } as const;
const DEPTHS = { [GREY]: [1, 2, 4, 8, 16], 2: [8, 16], [PALETTE]: [1, 2, 4, 8], [GREY_ALPHA]: [8, 16], [RGB_ALPHA]: [8, 16] } as const;
type Colour = keyof typeof SAMPLES;
const isColour = (colour: number): colour is Colour => Object.hasOwn(SAMPLES, colour);

/** The chunks of a PNG up to its end, by their name. Those of one name stand together, as if they were one. */
function chunksOf(bytes: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; !chunks.has('IEND'); ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    chunks.set(name, Buffer.concat([chunks.get(name) ?? Buffer.alloc(0), bytes.subarray(at + 8, at + 8 + length)]));
    at += 12 + length;
  }
  return chunks;
}

const bytesOfLine = ({ width, depth, samples }: Png): number => Math.ceil((width * depth * samples) / 8);

/** Reads the header. It is undefined for an interlaced picture, whose lines a PDF file would have in another order. */
function headerOf(header: Buffer): Png | undefined {
  const [width, height, depth, colour] = [header.readUInt32BE(0), header.readUInt32BE(4), header.readUInt8(8), header.readUInt8(9)];
  const isInterlaced = header.readUInt8(12) !== 0;
  if (width === 0 || height === 0 || isInterlaced || !isColour(colour)) return undefined;
  return DEPTHS[colour].some((one) => one === depth) ? { width, height, depth, colour, samples: SAMPLES[colour] } : undefined;
}

/** Unpacks the lines, each with the number of its filter before it. They are undefined when one of them is wrong. */
async function linesOf(png: Png, packed: Buffer): Promise<Buffer | undefined> {
  const line = bytesOfLine(png) + 1;
  const length = line * png.height;
  if (length > MOST_BYTES) return undefined;
  const lines = await inflated(packed, { maxOutputLength: length });
  if (lines.length !== length) return undefined;
  for (let at = 0; at < length; at += line) if ((lines[at] ?? 0) > PAETH) return undefined;
  return lines;
}

async function pngOf(bytes: Buffer): Promise<Picture | undefined> {
  const chunks = chunksOf(bytes);
  const [header, data, palette, see] = ['IHDR', 'IDAT', 'PLTE', 'tRNS'].map((name) => chunks.get(name));
  const png = header && headerOf(header);
  if (png === undefined || data === undefined || (png.colour === PALETTE && palette === undefined)) return undefined;
  const lines = await linesOf(png, data);
  if (lines === undefined) return undefined;
  const { width, height, depth, colour } = png;
  if (colour === GREY_ALPHA || colour === RGB_ALPHA) return await dividedPng(png, unfiltered(png, lines));
  const isSeenThrough = colour === PALETTE && see !== undefined;
  const entries = [dictionaryOf(width, height, spaceOf(png, palette), depth, '/FlateDecode'), predictor(png), keyOf(png, see)].join(' ');
  return { width, height, entries, data, opacity: isSeenThrough ? await opacityOf(png, unfiltered(png, lines), see) : undefined };
}

/** Says that lines are filtered as those of PNG are, which PDF knows. */
const predictor = ({ width, depth, samples }: Png): string =>
  `/DecodeParms << /Predictor 15 /Colors ${samples} /BitsPerComponent ${depth} /Columns ${width} >>`;

function spaceOf({ colour, depth }: Png, palette: Buffer = Buffer.alloc(0)): string {
  if (colour !== PALETTE) return colour === GREY ? '/DeviceGray' : '/DeviceRGB';
  const colours = palette.subarray(0, 3 << depth);
  return `[/Indexed /DeviceRGB ${colours.length / 3 - 1} <${colours.toString('hex')}>]`;
}

/** The one colour through which one sees, if there is one. */
function keyOf({ colour, samples }: Png, see: Buffer | undefined): string {
  if (colour === PALETTE || see?.length !== 2 * samples) return '';
  const values = Array.from({ length: samples }, (_, nth) => see.readUInt16BE(2 * nth));
  return `/Mask [${values.map((value) => `${value} ${value}`).join(' ')}]`;
}

/** The pixels of lines, each of which begins with the number of its filter (PNG, 9.2). */
function unfiltered(png: Png, lines: Buffer): Buffer {
  const length = bytesOfLine(png);
  const step = Math.max(1, (png.depth * png.samples) / 8);
  const out = Buffer.alloc(length * png.height);
  // Both lines begin with zeros, which are what stands at the left of the picture.
  let above = Buffer.alloc(step + length);
  for (let y = 0; y < png.height; y++) {
    const from = y * (length + 1);
    const filter = lines[from] ?? 0;
    const line = Buffer.alloc(step + length);
    for (let x = 0; x < length; x++)
      line[step + x] = (lines[from + 1 + x] ?? 0) + guess(filter, line[x] ?? 0, above[step + x] ?? 0, above[x] ?? 0);
    line.copy(out, y * length, step);
    above = line;
  }
  return out;
}

/** What a filter guesses a byte to be, from those at its left, above it, and at the left of that one. */
function guess(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const [toLeft, toAbove, toCorner] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** Pixels whose last sample says how opaque they are, as two pictures. */
async function dividedPng({ width, height, depth, samples }: Png, pixels: Buffer): Promise<Picture> {
  const [size, rest] = [depth / 8, (depth / 8) * (samples - 1)];
  const colours = Buffer.alloc(width * height * rest);
  const opacities = Buffer.alloc(width * height * size);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * (rest + size);
    pixels.copy(colours, pixel * rest, at, at + rest);
    pixels.copy(opacities, pixel * size, at + rest, at + rest + size);
  }
  return {
    ...(await packedPicture(width, height, samples === 2 ? '/DeviceGray' : '/DeviceRGB', depth, colours)),
    opacity: await packedPicture(width, height, '/DeviceGray', depth, opacities),
  };
}

/** How opaque the pixels are whose colours stand in a palette. */
async function opacityOf(png: Png, pixels: Buffer, see: Buffer): Promise<Picture> {
  const { width, height, depth } = png;
  const length = bytesOfLine(png);
  const opacities = Buffer.alloc(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const byte = pixels[y * length + (bit >> 3)] ?? 0;
      const nth = (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
      opacities[y * width + x] = see[nth] ?? 255;
    }
  return await packedPicture(width, height, '/DeviceGray', 8, opacities);
}

async function packedPicture(width: number, height: number, space: string, bits: number, pixels: Buffer): Promise<Picture> {
  const data = await deflated(pixels);
  return { width, height, entries: dictionaryOf(width, height, space, bits, '/FlateDecode'), data, opacity: undefined };
}
