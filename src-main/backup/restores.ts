import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Core } from '../platform/core.ts';
import { DATABASE_FILE } from '../platform/data-folder/data-folder.ts';
import { freeRoom } from '../platform/disk/room.ts';
import { newId } from '../platform/ids.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { SecretsFile } from '../platform/secrets/node-secrets.ts';
import type { SecretsProtection } from '../platform/secrets/secrets-protection.ts';
import type { BackupHead } from './backup-file.ts';
import {
  asideName,
  decideReplacement,
  finishReplacement,
  forgetReturning,
  lastReplacement,
  preparedFolder,
  type Replacement,
} from './replacement.ts';
import type { BackupContent } from './restored-content.ts';
import type { OpenBackup, OpenProblem } from './tasks.ts';
import { withWal } from './unfinished.ts';

/** An upload waits for the next step for this long, in milliseconds. */
const KEPT_MS = 60 * 60_000;
const RETURN_MS = 10 * 60_000;
const UPLOAD_FILE = 'backup.age';

/** `gone`: the upload has expired, another one has begun, or the node is stopping to put it in place. */
type UploadProblem = 'gone' | 'out_of_order' | 'no_room';
type LookProblem = 'gone' | 'unfinished' | 'busy' | Exclude<OpenProblem, 'cancelled'>;
type StartProblem = 'gone' | 'not_opened' | 'no_room';

interface Upload {
  readonly id: string;
  readonly bytes: number;
  received: number;
  /** Whether the node is opening the upload or is about to put it in place. Nothing else may use it then. */
  inUse: boolean;
  /** Ends the opening that is under way, and waits until nothing of it runs. */
  stopLooking?: () => Promise<void>;
  /** The content, once the backup was opened. The database lies in the same folder then. */
  opened?: { readonly head: BackupHead; readonly secretHash: string };
}

interface Looking {
  id: string;
  passphrase: string;
  secretHash: string;
}

interface Parts extends Pick<Core, 'clock' | 'log'> {
  dataFolder: string;
  /** The protection of this node's secrets. It also protects the secrets of the restored node. */
  protection: SecretsProtection | undefined;
  /** The folder of the migrations that this version has. */
  migrations: string;
  openBackup: OpenBackup;
  /** Tests only: the room on the disk of a folder, in bytes. */
  room?: (folder: string) => number;
  /** Asks the program that runs the node to stop it and start it again. */
  restart: () => void;
}

/**
 * Takes a backup from the console, shows its content, and puts it in the place of the node. The file comes in parts.
 * The node opens it, compares it with its own summary, and keeps it in the data folder until the operator decides. The
 * node's own files change only after the node has stopped.
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

  /** The last replacement in this data folder. */
  last(): Replacement | undefined {
    return lastReplacement(this.#parts.dataFolder);
  }

  /**
   * The secret that signs the browser in again that has restored the node. It is undefined when there is none, when it
   * has expired, and after {@link forgetReturning}.
   */
  returning(): Replacement['returning'] {
    const returning = this.last()?.returning;
    return returning !== undefined && returning.expiresAt > this.#parts.clock.now() ? returning : undefined;
  }

  /** Forgets that secret. The caller has already recorded how the browser signs in. */
  forgetReturning(): void {
    forgetReturning(this.#parts.dataFolder);
  }

  /** Begins an upload of this many bytes. It deletes an earlier upload. */
  begin(bytes: number): Result<{ id: string }, 'busy' | 'no_room'> {
    if (this.#upload?.inUse === true || this.#decided !== undefined) return refuse('busy');
    this.#remove();
    try {
      // The file and its database are there at the same time.
      if ((this.#parts.room ?? freeRoom)(this.#parts.dataFolder) < 2 * bytes) return refuse('no_room');
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      closeSync(openSync(this.#file(UPLOAD_FILE), 'wx', 0o600));
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a backup could not be taken from the console');
      return refuse('no_room');
    }
    const upload: Upload = { id: newId(), bytes, received: 0, inUse: false };
    this.#upload = upload;
    this.#expiry = setTimeout(() => this.#remove(), KEPT_MS);
    this.#expiry.unref();
    return ok({ id: upload.id });
  }

  /**
   * Takes the part that begins at `offset`. It ignores a part that it already has.
   * @returns how many bytes have come.
   */
  async part({ id, offset, data }: { id: string; offset: number; data: Buffer }): Promise<Result<number, UploadProblem>> {
    const upload = this.#find(id);
    if (upload === undefined || upload.inUse) return refuse('gone');
    const end = offset + data.length;
    if (end <= upload.received && offset < upload.received) return ok(upload.received);
    if (offset !== upload.received || end > upload.bytes) return refuse('out_of_order');
    // The part counts before it is written, so that a repetition of this call that comes meanwhile does not write it
    // too.
    upload.received = end;
    this.#expiry?.refresh();
    try {
      const file = await open(this.#file(UPLOAD_FILE), 'r+');
      try {
        // Meanwhile the upload may have been discarded, and the file may be that of another one.
        if (this.#upload !== upload) return refuse('gone');
        await file.write(data, 0, data.length, offset);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (this.#upload !== upload) return refuse('gone');
      this.#parts.log.error({ err: error }, 'a part of a backup could not be written');
      this.#remove();
      return refuse('no_room');
    }
    return ok(end);
  }

  /**
   * Opens the uploaded backup and tells its content. It changes nothing of the node.
   * @param wanted.secretHash the SHA-256 of a secret with which the browser signs in again, once, after the backup was
   * put in place.
   * @param left tells that nobody waits for the answer any more. The opening ends then.
   */
  async look(wanted: Looking, left?: AbortSignal): Promise<Result<BackupContent, LookProblem>> {
    const { id } = wanted;
    const upload = this.#find(id);
    if (upload === undefined) return refuse('gone');
    if (upload.received !== upload.bytes) return refuse('unfinished');
    if (upload.inUse) return refuse('busy');
    upload.inUse = true;
    delete upload.opened;
    const discarded = new AbortController();
    const signal = left === undefined ? discarded.signal : AbortSignal.any([discarded.signal, left]);
    const looking = this.#lookInto(upload, wanted, signal);
    upload.stopLooking = async () => {
      discarded.abort();
      await looking.catch(() => undefined);
    };
    return await looking;
  }

  async #lookInto(upload: Upload, wanted: Looking, signal: AbortSignal): Promise<Result<BackupContent, LookProblem>> {
    const { passphrase, secretHash } = wanted;
    const databaseFile = this.#file(DATABASE_FILE);
    try {
      for (const left of withWal(databaseFile)) rmSync(left, { force: true });
      const { migrations, openBackup } = this.#parts;
      const task = { kind: 'open', file: this.#file(UPLOAD_FILE), passphrase, databaseFile, migrations } as const;
      const opened = await openBackup(task, signal);
      if (!opened.ok) return opened.error === 'cancelled' ? refuse('gone') : refuse(opened.error);
      upload.opened = { head: opened.value.head, secretHash };
      return ok(opened.value.content);
    } finally {
      upload.inUse = false;
      delete upload.stopLooking;
      // From now on the operator has the full time to read the content and to decide.
      this.#expiry?.refresh();
    }
  }

  /**
   * Prepares the opened backup, with its keys, for the place of the node. Nothing else can use it until the caller
   * calls {@link decide} or {@link release}.
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
   * Decides that the prepared backup replaces the node, and asks for a restart. The program that stops the node calls
   * {@link putInPlace} when the node's books are closed.
   */
  decide(replacement: Replacement): void {
    if (this.#find(replacement.id) === undefined) return;
    this.#decided = replacement;
    this.#parts.log.warn({ madeAt: replacement.madeAt }, 'a backup takes the place of this node');
    this.#parts.restart();
  }

  /** Releases a prepared backup that is not to replace the node. It waits for a decision again. */
  release(id: string): void {
    const upload = this.#find(id);
    if (upload !== undefined) upload.inUse = false;
  }

  /**
   * Deletes the upload. It ends an opening that is under way.
   * @returns false when the backup is taking the node's place already.
   */
  async discard(): Promise<boolean> {
    const upload = this.#upload;
    await upload?.stopLooking?.();
    // Meanwhile another upload may have begun.
    return this.#upload !== upload || this.#remove();
  }

  /** Deletes the upload unless something uses it. */
  #remove(): boolean {
    if (this.#decided !== undefined || this.#upload?.inUse === true) return false;
    clearTimeout(this.#expiry);
    this.#upload = undefined;
    rmSync(this.#folder, { recursive: true, force: true });
    return true;
  }

  /**
   * Puts the backup in place if that was decided. The node's books must be closed, and its data folder must still be
   * locked.
   */
  putInPlace(): void {
    if (this.#decided === undefined) {
      this.#remove();
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
