import { dirname } from 'node:path';
import type { Dice } from '../seeded.ts';
import { DiskFile, drawFate, type Fate } from './disk-file.ts';
import type { TraceRecord } from './trace.ts';

/** The file or folder of a name, or nothing. */
type Named = DiskFile | 'folder' | undefined;

/** A change of names that happens as a whole or not at all. It is synced when every folder that it changes is. */
interface Renaming {
  readonly names: readonly (readonly [path: string, named: Named])[];
  readonly unsynced: Set<string>;
}

/**
 * A disk on which a trace is played. It knows what is certain to be there, and what a power cut may take away: a write
 * without a later sync of its file, and a name without a later sync of its folder.
 */
export class Disk {
  readonly #root: string;
  /** The names as programs see them, and those that are certain. */
  readonly #names = new Map<string, Named>();
  readonly #certain = new Map<string, Named>();
  #renamings: Renaming[] = [];
  readonly #inodes = new Map<bigint, DiskFile>();
  /** What each sync that is under way brings to the disk when it ends. */
  readonly #syncs = new Map<bigint, () => void>();

  /** @param root a folder that is certain to be there. */
  constructor(root: string) {
    this.#root = root;
  }

  play(record: TraceRecord): void {
    switch (record.kind) {
      case 'open':
        if (record.isNew) this.#make(record.inode, record.path);
        if (record.isCut) this.#file(record.inode).truncate(0);
        break;
      case 'write':
        this.#file(record.inode).write(record.at, record.data);
        break;
      case 'truncate':
        this.#file(record.inode).truncate(record.size);
        break;
      case 'syncing':
        this.#syncs.set(record.number, record.folder === undefined ? this.#syncFile(record.inode) : this.#syncFolder(record.folder));
        break;
      case 'synced':
        this.#syncs.get(record.number)?.();
        this.#syncs.delete(record.number);
        break;
      default:
        this.#rename(renamed(record, this.#names));
    }
  }

  /** The files that the disk has after a cut at this moment, by path. */
  afterCut(dice: Dice): Map<string, Buffer> {
    const fate = drawFate(dice);
    const files = new Map<string, Buffer>();
    const names = this.#namesAfterCut(dice, fate);
    for (const [path, named] of names) {
      if (named instanceof DiskFile && this.#isReached(path, names)) files.set(path, named.afterCut(dice, fate));
    }
    return files;
  }

  /** The files as programs see them at this moment. */
  get seen(): Map<string, Buffer> {
    const all: Fate = { keep: 'all', sector: 512 };
    return new Map([...this.#names].flatMap(([path, file]) => (file instanceof DiskFile ? [[path, file.afterCut(NO_DICE, all)]] : [])));
  }

  #make(inode: bigint, path: string): void {
    const file = new DiskFile();
    this.#inodes.set(inode, file);
    this.#rename([[path, file]]);
  }

  #file(inode: bigint): DiskFile {
    const file = this.#inodes.get(inode);
    if (file === undefined) throw new Error('the trace tells of a file whose beginning it does not know');
    return file;
  }

  #rename(names: Renaming['names']): void {
    if (names.length === 0) return;
    for (const [path, named] of names) this.#names.set(path, named);
    this.#renamings.push({ names, unsynced: new Set(names.map(([path]) => dirname(path))) });
  }

  #syncFile(inode: bigint): () => void {
    const file = this.#file(inode);
    const { changes } = file;
    return () => file.synced(changes);
  }

  #syncFolder(folder: string): () => void {
    const covered = this.#renamings.filter(({ unsynced }) => unsynced.has(folder));
    return () => {
      for (const { unsynced } of covered) unsynced.delete(folder);
      this.#renamings = this.#renamings.filter(({ names, unsynced }) => {
        if (unsynced.size > 0) return true;
        for (const [path, named] of names) this.#certain.set(path, named);
        return false;
      });
    };
  }

  /** The names after a cut. A name that has a renaming also has all earlier renamings of that name. */
  #namesAfterCut(dice: Dice, { keep }: Fate): Map<string, Named> {
    const names = new Map(this.#certain);
    const lost = new Set<string>();
    const end = keep === 'beginning' ? dice.below(this.#renamings.length + 1) : this.#renamings.length;
    this.#renamings.forEach((renaming, at) => {
      const isLost = keep === 'none' || at >= end || (keep === 'parts' && dice.chance(0.5));
      if (isLost || renaming.names.some(([path]) => lost.has(path))) for (const [path] of renaming.names) lost.add(path);
      else for (const [path, named] of renaming.names) names.set(path, named);
    });
    return names;
  }

  #isReached(path: string, names: Map<string, Named>): boolean {
    const folder = dirname(path);
    // A folder of which the trace does not tell was there before.
    const isThere = names.get(folder) === 'folder' || !this.#names.has(folder);
    return folder === this.#root || (isThere && this.#isReached(folder, names));
  }
}

/** The names that a record changes. A record of what somebody was told changes none. */
function renamed(record: TraceRecord, names: ReadonlyMap<string, Named>): Renaming['names'] {
  if (record.kind === 'unlink' || record.kind === 'rmdir') return [[record.path, undefined]];
  if (record.kind === 'mkdir') return [[record.path, 'folder']];
  if (record.kind !== 'rename') return [];
  return [
    [record.path, undefined],
    [record.to, names.get(record.path)],
  ];
}

/** Everything is kept, so nothing is left to chance. */
const NO_DICE = { below: () => 0, chance: () => false } as unknown as Dice;
