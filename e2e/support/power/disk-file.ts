import type { Dice } from '../seeded.ts';

/** What a cut keeps of that which was not synced: everything, nothing, a beginning, or each part by chance. */
export type Fate = { keep: 'all' | 'none' | 'beginning' | 'parts'; sector: number };

export function drawFate(dice: Dice): Fate {
  const keep = dice.pick(['all', 'none', 'beginning', 'parts', 'parts', 'parts'] as const);
  return { keep, sector: dice.pick([512, 4_096]) };
}

interface Change {
  at: number;
  data: Buffer;
  /** The size of the file after the change. */
  size: number;
}

/** A file as programs see it, and what of it is certain to be on the disk. */
export class DiskFile {
  #synced = Buffer.alloc(0);
  #syncedSize = 0;
  #size = 0;
  /** Changes since the last sync, and how many there were before them. */
  #changes: Change[] = [];
  #before = 0;

  write(at: number, data: Buffer): void {
    this.#size = Math.max(this.#size, at + data.length);
    this.#changes.push({ at, data, size: this.#size });
  }

  truncate(size: number): void {
    // What is cut off reads as zeros when the file grows again.
    const lost = Buffer.alloc(Math.max(0, this.#size - size));
    this.#size = size;
    this.#changes.push({ at: size, data: lost, size });
  }

  /** How many changes there have been. A sync that begins now brings these to the disk. */
  get changes(): number {
    return this.#before + this.#changes.length;
  }

  /**
   * The disk calls it when a sync has ended.
   * @param changes how many changes there were when the sync began.
   */
  synced(changes: number): void {
    const arrived = this.#changes.splice(0, Math.max(0, changes - this.#before));
    this.#before += arrived.length;
    for (const { at, data, size } of arrived) {
      this.#reserve(at + data.length);
      data.copy(this.#synced, at);
      this.#syncedSize = size;
    }
  }

  /**
   * The content after a cut. Each sector, and the size, is in one of the states that it has had since the last sync. So
   * writes are lost, torn and reordered, but a sector that has a write also has all earlier writes to that sector.
   */
  afterCut(dice: Dice, fate: Fate): Buffer {
    if (this.#changes.length === 0 || fate.keep === 'none') return this.#synced.subarray(0, this.#syncedSize);
    const most = this.#changes.reduce((end, { at, data, size }) => Math.max(end, at + data.length, size), this.#syncedSize);
    const content = Buffer.alloc(most);
    this.#synced.copy(content, 0, 0, this.#syncedSize);
    const count = fate.keep === 'beginning' ? dice.below(this.#changes.length + 1) : this.#changes.length;
    const kept = this.#changes.slice(0, count);
    let size = kept.at(-1)?.size ?? this.#syncedSize;
    if (fate.keep === 'parts') {
      this.#scatter(content, dice, fate.sector);
      size = dice.chance(0.5) ? size : (this.#changes[dice.below(count)]?.size ?? size);
    } else {
      for (const { at, data } of kept) data.copy(content, at);
    }
    return content.subarray(0, size);
  }

  #scatter(content: Buffer, dice: Dice, sector: number): void {
    const pieces = this.#changes.flatMap((change) => piecesOf(change, sector));
    const counts = new Map<number, number>();
    for (const { number } of pieces) counts.set(number, (counts.get(number) ?? 0) + 1);
    // Some cuts lose nearly everything and some nearly nothing.
    const [likely, left] = [dice.below(101) / 100, new Map<number, number>()];
    for (const [number, count] of counts) left.set(number, dice.chance(likely) ? count : dice.below(count + 1));
    for (const { number, at, data } of pieces) {
      const more = left.get(number) ?? 0;
      if (more > 0) data.copy(content, at);
      left.set(number, more - 1);
    }
  }

  #reserve(size: number): void {
    if (size <= this.#synced.length) return;
    const larger = Buffer.alloc(Math.max(size, this.#synced.length * 2));
    this.#synced.copy(larger);
    this.#synced = larger;
  }
}

/** Cuts a change into pieces that lie in one sector each. */
function piecesOf({ at, data }: Change, sector: number): { number: number; at: number; data: Buffer }[] {
  const pieces = [];
  for (let from = at; from < at + data.length; ) {
    const number = Math.floor(from / sector);
    const to = Math.min(at + data.length, (number + 1) * sector);
    pieces.push({ number, at: from, data: data.subarray(from - at, to - at) });
    from = to;
  }
  return pieces;
}
