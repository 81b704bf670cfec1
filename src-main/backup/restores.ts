import { closeSync, mkdirSync, openSync, rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/logs/logger.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { SecretsFile } from '../platform/secrets/node-secrets.ts';
import type { SecretsProtection } from '../platform/secrets/secrets-protection.ts';
import type { BackupHead } from './backup-file.ts';
import {
  asideName,
  DATABASE_FILE,
  decideReplacement,
  finishReplacement,
  forgetReturning,
  lastReplacement,
  preparedFolder,
  type Replacement,
} from './replacement.ts';
import type { BackupContent } from './restored-content.ts';
import type { OpenBackup, OpenProblem } from './tasks.ts';

/** The largest backup that is taken this way, in bytes; for larger ones there is a command. */
export const MOST_BYTES = 4 * 1024 ** 3;
/** How long what was handed over waits for the next step, in milliseconds. */
const KEPT_MS = 60 * 60_000;
const RETURN_MS = 10 * 60_000;
const UPLOAD_FILE = 'backup.age';

/** `gone`: there is no such upload any more, another one has begun or the node is stopping for it. */
export type UploadProblem = 'gone' | 'out_of_order' | 'no_room';
export type LookProblem = 'gone' | 'unfinished' | 'busy' | OpenProblem;
export type StartProblem = 'gone' | 'not_opened' | 'no_room';

interface Upload {
  readonly id: string;
  readonly bytes: number;
  received: number;
  /** It is being opened, or is about to take the place of the node: nothing else may touch it. */
  inUse: boolean;
  /** What is in it, once it was opened; the database lies beside it then. */
  opened?: { readonly head: BackupHead; readonly secretHash: string };
}

interface Parts {
  dataFolder: string;
  /** Of this node's secrets; those of the restored one are encrypted with the same. */
  protection: SecretsProtection | undefined;
  /** The folder of the migrations this version knows. */
  migrations: string;
  clock: Clock;
  log: Logger;
  openBackup: OpenBackup;
  /** Asks whoever runs the node to stop it and start it again. */
  restart: () => void;
}

/**
 * Takes a backup from the console, shows what is in it, and has it take the place of the node: the file comes in parts, is opened and compared with what it
 * says of itself, and waits beside the node until the operator has decided. The node is only touched when it has stopped.
 */
export class Restores {
  readonly #parts: Parts;
  readonly #folder: string;
  #upload: Upload | undefined;
  #decided: Replacement | undefined;
  #expiry: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#folder = preparedFolder(parts.dataFolder);
  }

  /** The last time a backup was put in place here. */
  last(): Replacement | undefined {
    return lastReplacement(this.#parts.dataFolder);
  }

  /** The way back into the console for the browser that has restored the node, until {@link forgetReturning}; undefined when there is none, or no more. */
  returning(): Replacement['returning'] {
    const returning = this.last()?.returning;
    return returning !== undefined && returning.expiresAt > this.#parts.clock.now() ? returning : undefined;
  }

  /** Whoever lets the browser in has taken note of how. */
  forgetReturning(): void {
    forgetReturning(this.#parts.dataFolder);
  }

  /** Begins to take a backup of so many bytes; one that was handed over before is thrown away. */
  begin(bytes: number): Result<{ id: string }, 'too_large' | 'busy' | 'no_room'> {
    if (bytes > MOST_BYTES) return refuse('too_large');
    if (this.#upload?.inUse === true || this.#decided !== undefined) return refuse('busy');
    this.discard();
    try {
      const { bavail, bsize } = statfsSync(this.#parts.dataFolder);
      // The file, what is in it, and room to work.
      if (bavail * bsize < bytes * 3) return refuse('no_room');
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      closeSync(openSync(this.#file(UPLOAD_FILE), 'wx', 0o600));
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a backup could not be taken from the console');
      return refuse('no_room');
    }
    const upload: Upload = { id: newId(), bytes, received: 0, inUse: false };
    this.#upload = upload;
    this.#expiry = setTimeout(() => this.discard(), KEPT_MS);
    this.#expiry.unref();
    return ok({ id: upload.id });
  }

  /** Takes the part that begins at `offset`; a repeated one is taken once. @returns how many bytes have come. */
  async part({ id, offset, data }: { id: string; offset: number; data: Buffer }): Promise<Result<number, UploadProblem>> {
    const upload = this.#find(id);
    if (upload === undefined || upload.inUse) return refuse('gone');
    const end = offset + data.length;
    if (end <= upload.received && offset < upload.received) return ok(upload.received);
    if (offset !== upload.received || end > upload.bytes) return refuse('out_of_order');
    // Taken before it is written: a copy of this call that comes meanwhile must not write it, too.
    upload.received = end;
    this.#expiry?.refresh();
    try {
      const file = await open(this.#file(UPLOAD_FILE), 'r+');
      try {
        await file.write(data, 0, data.length, offset);
      } finally {
        await file.close();
      }
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a part of a backup could not be written');
      this.discard();
      return refuse('no_room');
    }
    return ok(end);
  }

  /**
   * Opens what was handed over, and tells what is in it. Nothing of the node is touched.
   * @param wanted.secretHash SHA-256 of a secret with which the browser that asks comes back, once, when this is put in place.
   */
  async look(wanted: { id: string; passphrase: string; secretHash: string }): Promise<Result<BackupContent, LookProblem>> {
    const { id, passphrase, secretHash } = wanted;
    const upload = this.#find(id);
    if (upload === undefined) return refuse('gone');
    if (upload.received !== upload.bytes) return refuse('unfinished');
    if (upload.inUse) return refuse('busy');
    upload.inUse = true;
    delete upload.opened;
    const databaseFile = this.#file(DATABASE_FILE);
    try {
      for (const left of ['', '-wal', '-shm', '-journal']) rmSync(databaseFile + left, { force: true });
      const { migrations, openBackup } = this.#parts;
      const opened = await openBackup({ kind: 'open', file: this.#file(UPLOAD_FILE), passphrase, databaseFile, migrations });
      if (!opened.ok) return opened;
      upload.opened = { head: opened.value.head, secretHash };
      return ok(opened.value.content);
    } finally {
      upload.inUse = false;
      // From now on there is time to read what is in it, and to decide.
      this.#expiry?.refresh();
    }
  }

  /**
   * Lays ready what was opened, keys and all, to take the place of the node, and keeps it from everybody else until {@link decide} or {@link release}.
   */
  prepare(id: string): Result<Replacement, StartProblem> {
    const upload = this.#find(id);
    if (upload === undefined || upload.inUse) return refuse('gone');
    if (upload.opened === undefined) return refuse('not_opened');
    const { protection, clock, log } = this.#parts;
    const at = clock.now();
    try {
      new SecretsFile(this.#folder, protection).write(upload.opened.head.secrets);
    } catch (error) {
      log.error({ err: error }, 'the keys in a backup could not be written');
      return refuse('no_room');
    }
    upload.inUse = true;
    const { head, secretHash } = upload.opened;
    const returning = { secretHash, expiresAt: at + RETURN_MS };
    return ok({ id, madeAt: head.createdAt, at, keptAside: asideName(at), returning });
  }

  /**
   * What lies ready takes the place of the node as soon as that has stopped, and its restart is asked for. Whoever stops the node calls {@link putInPlace} once
   * its books are closed.
   */
  decide(replacement: Replacement): void {
    if (this.#find(replacement.id) === undefined) return;
    this.#decided = replacement;
    this.#parts.log.warn({ madeAt: replacement.madeAt }, 'a backup takes the place of this node');
    this.#parts.restart();
  }

  /** What was laid ready does not take the place of the node: it waits again. */
  release(id: string): void {
    const upload = this.#find(id);
    if (upload !== undefined) upload.inUse = false;
  }

  /** Throws away what was handed over, but not from under whoever is opening it or puts it in place. */
  discard(): void {
    if (this.#decided !== undefined || this.#upload?.inUse === true) return;
    clearTimeout(this.#expiry);
    this.#upload = undefined;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Does what was decided. The node's books must be closed, and its folder still be held. */
  putInPlace(): void {
    if (this.#decided === undefined) {
      this.discard();
      return;
    }
    clearTimeout(this.#expiry);
    rmSync(this.#file(UPLOAD_FILE), { force: true });
    decideReplacement(this.#parts.dataFolder, this.#decided);
    finishReplacement(this.#parts.dataFolder);
  }

  #find(id: string): Upload | undefined {
    return this.#decided === undefined && this.#upload?.id === id ? this.#upload : undefined;
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }
}
