import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { decideReplacement, finishReplacement, preparedFolder } from '../../src-main/backup/replacement.ts';
import { DATABASE_FILE } from '../../src-main/platform/data-folder/data-folder.ts';
import { SECRETS_FILE } from '../../src-main/platform/secrets/node-secrets.ts';
import { readBooks } from '../support/books/books.ts';
import { KeptPackets } from '../support/books/kept-packets.ts';
import { ForgottenPackets } from '../support/books/pair-books.ts';

/** What the product leaves in the data folder when it has decided, until all is in its place. */
const DECIDED = 'restore.json';
const PARTS = [DATABASE_FILE, SECRETS_FILE];

/**
 * Copies the books and the keys of a node while it runs. A real backup has the same in an encrypted file.
 * @param into the folder for the copy.
 */
export function copyNode(connection: Sqlite.Database, dataFolder: string, into: string): void {
  mkdirSync(into, { recursive: true });
  connection.prepare('VACUUM INTO ?').run(join(into, DATABASE_FILE));
  copyFileSync(join(dataFolder, SECRETS_FILE), join(into, SECRETS_FILE));
}

/**
 * Puts copies back in the way of a real node, however often it dies meanwhile. No file of the data folder is open.
 */
export class PuttingBack {
  readonly #dataFolder: string;
  #copy: string | undefined;
  /** The copy that was put back last. */
  #putBack = '';
  #count = 0;
  /** The packets that went into the archive before each copy was made, by the folder of the copy. */
  readonly #keptBefore = new Map<string, KeptPackets>();
  /** The packets of the node that are in the archive. */
  kept = new KeptPackets();
  /** What the node has forgotten in all. */
  readonly forgotten = new ForgottenPackets();

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  /** The simulator calls this when it has made a copy of the node. */
  copied(copy: string): void {
    this.#keptBefore.set(copy, this.kept.copy());
  }

  /** The simulator calls this before details of payments go into the archive. No file of the node changes meanwhile. */
  keepPackets(): void {
    readBooks({ dataDir: this.#dataFolder }, (books) => this.kept.keep(books));
  }

  /** The next start puts this copy back. */
  plan(copy: string): void {
    this.#copy = copy;
    this.#putBack = copy;
    this.#count += 1;
  }

  /** The simulator calls this at each start, before it opens any file of the data folder. */
  run(): void {
    const copy = this.#copy;
    if (copy !== undefined) {
      const prepared = preparedFolder(this.#dataFolder);
      mkdirSync(prepared, { recursive: true });
      for (const part of PARTS) copyFileSync(join(copy, part), join(prepared, part));
      const keptAside = `replaced-${this.#count}`;
      try {
        decideReplacement(this.#dataFolder, { id: keptAside, madeAt: '2026-01-01T00:00:00.000Z', at: 0, keptAside });
      } finally {
        if (existsSync(join(this.#dataFolder, DECIDED))) this.#copy = undefined;
      }
    }
    finishReplacement(this.#dataFolder);
    const aside = join(this.#dataFolder, `replaced-${this.#count}`);
    if (!existsSync(aside)) return;
    this.forgotten.add(aside, this.kept);
    this.kept = this.#keptBefore.get(this.#putBack)?.copy() ?? new KeptPackets();
    rmSync(aside, { recursive: true });
  }
}
