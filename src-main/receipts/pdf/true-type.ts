/** The part of a TrueType font that a document needs (ISO/IEC 14496-22). Lengths are in units of the font. */
export class TrueType {
  /** How many units the size of the font has. */
  readonly unitsPerEm: number;
  readonly #tables = new Map<string, Buffer>();
  readonly #glyphs: ReadonlyMap<number, number>;
  readonly #widths: readonly number[];
  /** The places where the shape of each glyph begins, and where the last one ends. */
  readonly #places: readonly number[];

  constructor(file: Buffer) {
    for (let nth = 0; nth < file.readUInt16BE(4); nth += 1) {
      const at = 12 + 16 * nth;
      const start = file.readUInt32BE(at + 8);
      this.#tables.set(file.toString('latin1', at, at + 4), file.subarray(start, start + file.readUInt32BE(at + 12)));
    }
    const [head, loca, metrics] = [this.#table('head'), this.#table('loca'), this.#table('hmtx')];
    this.unitsPerEm = head.readUInt16BE(18);
    const isLong = head.readInt16BE(50) === 1;
    const count = this.#table('maxp').readUInt16BE(4);
    this.#places = Array.from({ length: count + 1 }, (_, nth) => (isLong ? loca.readUInt32BE(4 * nth) : 2 * loca.readUInt16BE(2 * nth)));
    // Glyphs behind the last width are as wide as that.
    const last = this.#table('hhea').readUInt16BE(34) - 1;
    this.#widths = Array.from({ length: count }, (_, glyph) => metrics.readUInt16BE(4 * Math.min(glyph, last)));
    this.#glyphs = this.#readGlyphs();
  }

  #table(name: string): Buffer {
    const table = this.#tables.get(name);
    if (table === undefined) throw new Error(`a font without the table ${name}`);
    return table;
  }

  /** The glyphs of all characters, from a `cmap` subtable of format 4. */
  #readGlyphs(): Map<number, number> {
    const cmap = this.#table('cmap');
    const at = cmap.readUInt32BE(8);
    if (cmap.readUInt16BE(at) !== 4) throw new Error('a font whose characters are in another format');
    const segments = cmap.readUInt16BE(at + 6) / 2;
    const [ends, starts] = [at + 14, at + 16 + 2 * segments];
    const [deltas, offsets] = [starts + 2 * segments, starts + 4 * segments];
    const glyphs = new Map<number, number>();
    for (let nth = 0; nth < segments; nth += 1) {
      const [end, start] = [cmap.readUInt16BE(ends + 2 * nth), cmap.readUInt16BE(starts + 2 * nth)];
      const [delta, offset] = [cmap.readUInt16BE(deltas + 2 * nth), cmap.readUInt16BE(offsets + 2 * nth)];
      for (let code = start; code <= end && code < 0xff_ff; code += 1) {
        const found = offset === 0 ? code : cmap.readUInt16BE(offsets + 2 * nth + offset + 2 * (code - start));
        if (found !== 0) glyphs.set(code, (found + delta) % 0x1_00_00);
      }
    }
    return glyphs;
  }

  /** The glyph of a character; 0 is the box of one that the font does not have. */
  glyphOf(character: string): number {
    return this.#glyphs.get(character.codePointAt(0) ?? 0) ?? 0;
  }

  widthOf(glyph: number): number {
    return this.#widths[glyph] ?? 0;
  }

  /** The left and the right end of a glyph's shape. */
  extentOf(glyph: number): readonly [left: number, right: number] {
    const shape = this.#shape(glyph);
    return shape.length === 0 ? [0, 0] : [shape.readInt16BE(2), shape.readInt16BE(6)];
  }

  #shape(glyph: number): Buffer {
    return this.#table('glyf').subarray(this.#places[glyph], this.#places[glyph + 1]);
  }

  /** The glyphs of which a glyph is put together. */
  #partsOf(glyph: number): number[] {
    const shape = this.#shape(glyph);
    if (shape.length === 0 || shape.readInt16BE(0) >= 0) return [];
    const parts: number[] = [];
    let at = 10;
    for (let flags = 0x20; (flags & 0x20) !== 0; ) {
      flags = shape.readUInt16BE(at);
      parts.push(shape.readUInt16BE(at + 2));
      const scale = (flags & 0x08) !== 0 ? 2 : (flags & 0x40) !== 0 ? 4 : (flags & 0x80) !== 0 ? 8 : 0;
      at += 4 + ((flags & 0x01) !== 0 ? 4 : 2) + scale;
    }
    return parts;
  }

  /** A font file with the shapes of these glyphs only, each under its own number. */
  withOnly(glyphs: Iterable<number>): Buffer {
    const wanted = new Set([0, ...glyphs]);
    for (const glyph of wanted) for (const part of this.#partsOf(glyph)) wanted.add(part);
    const count = this.#widths.length;
    const loca = Buffer.alloc(4 * (count + 1));
    const shapes: Buffer[] = [];
    let length = 0;
    for (let glyph = 0; glyph < count; glyph += 1) {
      loca.writeUInt32BE(length, 4 * glyph);
      if (!wanted.has(glyph)) continue;
      const shape = this.#shape(glyph);
      shapes.push(shape, Buffer.alloc(-shape.length & 3));
      length += shape.length + (-shape.length & 3);
    }
    loca.writeUInt32BE(length, 4 * count);
    const head = Buffer.from(this.#table('head'));
    head.writeInt16BE(1, 50);
    const kept = ['hhea', 'hmtx', 'maxp'].map((name) => [name, this.#table(name)] as const);
    return fileOf([['glyf', Buffer.concat(shapes)], ['head', head], ...kept, ['loca', loca]]);
  }
}

/** A font file of these tables. */
function fileOf(tables: readonly (readonly [string, Buffer])[]): Buffer {
  const sorted = [...tables].sort(([one], [other]) => (one < other ? -1 : 1));
  const directory = Buffer.alloc(12 + 16 * sorted.length);
  directory.writeUInt32BE(0x00_01_00_00, 0);
  directory.writeUInt16BE(sorted.length, 4);
  const power = 2 ** Math.floor(Math.log2(sorted.length));
  directory.writeUInt16BE(16 * power, 6);
  directory.writeUInt16BE(Math.log2(power), 8);
  directory.writeUInt16BE(16 * (sorted.length - power), 10);
  const parts: Buffer[] = [directory];
  let at = directory.length;
  for (const [nth, [name, content]] of sorted.entries()) {
    const entry = 12 + 16 * nth;
    const padded = Buffer.concat([content, Buffer.alloc(-content.length & 3)]);
    directory.write(name, entry, 'latin1');
    directory.writeUInt32BE(checksumOf(padded), entry + 4);
    directory.writeUInt32BE(at, entry + 8);
    directory.writeUInt32BE(content.length, entry + 12);
    parts.push(padded);
    at += padded.length;
  }
  return Buffer.concat(parts);
}

function checksumOf(padded: Buffer): number {
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}
