import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { refuseLostParts } from '../../../src-main/assembly/books/continue-books.ts';
import { openDatabase } from '../../../src-main/assembly/books/open-database.ts';
import { Generation } from '../../../src-main/platform/data-folder/generation.ts';
import { SecretsFile } from '../../../src-main/platform/secrets/node-secrets.ts';
import { contradictions, readBooks } from '../books/books.ts';
import { RunningNode } from '../nodes/running-node.ts';
import { digest, type Fact, type FileFact, type RowFact } from './facts.ts';

const MIGRATIONS = join(import.meta.dirname, '../../../drizzle');
const SILENT = { info: () => undefined };

interface AfterCut {
  /** The recorded folder, and where its files lie now. */
  root: string;
  place: string;
  files: ReadonlyMap<string, Buffer>;
  /** What somebody had been told before the cut. */
  told: readonly Fact[];
}

/** What a disk has after a power cut, opened as a node opens it. */
export class Opening {
  readonly #after: AfterCut;

  constructor(after: AfterCut) {
    this.#after = after;
  }

  /**
   * Tells what is lost, and what is wrong in the books.
   * @param starts whether the built node is to start there as well.
   */
  async contradictions(starts: boolean): Promise<string[]> {
    const lost = this.#after.told.flatMap((fact) => ('file' in fact ? this.#lostFile(fact) : []));
    const found = [];
    for (const folder of this.#folders()) found.push(...(await this.#open(folder, starts)));
    return [...lost, ...found];
  }

  #folders(): Set<string> {
    const told = this.#after.told.flatMap((fact) => ('folder' in fact ? [fact.folder] : []));
    const there = [...this.#after.files.keys()].filter((path) => path.endsWith('/paydesk.db')).map((path) => join(path, '..'));
    return new Set([...told, ...there]);
  }

  #lostFile({ file, sha256 }: FileFact): string[] {
    const content = this.#after.files.get(file);
    if (content !== undefined && digest(content) === sha256) return [];
    return [`${relative(this.#after.root, file)} ${content === undefined ? 'is gone' : 'has another content'}`];
  }

  async #open(folder: string, starts: boolean): Promise<string[]> {
    const dataDir = join(this.#after.place, relative(this.#after.root, folder));
    const facts = this.#after.told.filter((fact) => 'folder' in fact && fact.folder === folder) as RowFact[];
    try {
      if (existsSync(dataDir)) await openAsNode(dataDir);
      else if (facts.length === 0) return [];
      const wrong = readBooks({ dataDir }, (database) => [...contradictions(database), ...lostRows(database, facts)]);
      if (starts) await startNode(dataDir);
      return wrong;
    } catch (error) {
      return [`the books cannot be opened: ${error instanceof Error ? error.message : String(error)}`];
    }
  }
}

/** Opens the books by the node's own steps; see open-node.ts. */
async function openAsNode(dataFolder: string): Promise<void> {
  refuseLostParts(dataFolder);
  new SecretsFile(dataFolder).read();
  const database = await openDatabase(join(dataFolder, 'paydesk.db'), MIGRATIONS, { log: SILENT });
  try {
    if (await new Generation({ database, dataFolder }).isCopy()) throw new Error('they are taken for books that were put back from a copy');
  } finally {
    await database.close();
  }
}

async function startNode(dataDir: string): Promise<void> {
  const node = await RunningNode.start({ dataDir });
  const ready = await fetch(`${node.publicUrl}/readyz`);
  await node.stop();
  if (ready.status !== 200) throw new Error(`a node that starts there answers /readyz with ${ready.status}`);
}

function lostRows(database: Sqlite.Database, facts: readonly RowFact[]): string[] {
  const kinds = Map.groupBy(facts, ({ table, and = 'true' }) => `${table} where ${and}`);
  return [...kinds].flatMap(([kind, told]) => {
    const there = new Set(database.prepare(`select id from ${kind}`).pluck().all());
    const lost = told.filter(({ id }) => !there.has(id)).length;
    return lost === 0 ? [] : [`${lost} of ${told.length} acknowledged rows are lost: ${kind}`];
  });
}
