import { createCipheriv, createDecipheriv, hash as hashOf, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants as brotli, brotliCompress, brotliDecompressSync } from 'node:zlib';
import { failPoint } from '../fail-points.ts';
import type { ArchiveFile } from './tables.ts';

// A file of the archive is a row of frames. A frame is the length of its body (4 bytes, big endian), then the body: a
// nonce, and the compressed lines encrypted with AES-256-GCM. The hash of the file is a chain: the SHA-256 over the
// hash before the frame, and the frame. It is also what a frame is encrypted for, so that no frame opens elsewhere.

const LENGTH_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
/** It compresses well, and a batch takes a thread of the system a few milliseconds. */
const EFFORT = 5;
const compress = promisify(brotliCompress);

/** The hash of a file in which nothing stands. */
export const NO_HASH = '';

/** The folder of the archive's files. */
export const archiveFolder = (dataFolder: string): string => join(dataFolder, 'archive');

const pathOf = (folder: string, id: string): string => join(folder, `${id}.archive`);
const nextHash = (before: string, frame: Buffer): string => hashOf('sha256', Buffer.concat([Buffer.from(before, 'hex'), frame]), 'hex');

/** Whether everything that the books know of a file can still stand in it. */
export async function isThere(folder: string, { id, bytes }: ArchiveFile): Promise<boolean> {
  const size = await stat(pathOf(folder, id)).then(
    (found) => found.size,
    () => 0,
  );
  return size >= bytes;
}

/** How far a file goes. */
type End = Pick<ArchiveFile, 'bytes' | 'hash' | 'rows'>;

/**
 * Writes lines behind the end of a file. They are on the disk when it resolves, but they belong to the file only once
 * the books say so: the next call writes over what the books do not know.
 * @throws Error when the file cannot be written.
 */
export async function append(folder: string, file: ArchiveFile, lines: readonly string[]): Promise<End> {
  const frame = await frameOf(file, lines);
  const isNew = file.bytes === 0;
  if (isNew) await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(pathOf(folder, file.id), constants.O_RDWR | (isNew ? constants.O_CREAT : 0), 0o600);
  try {
    await handle.truncate(file.bytes);
    await handle.write(frame, 0, frame.length, file.bytes);
    failPoint('archive-step');
    await handle.datasync();
  } finally {
    await handle.close();
  }
  if (isNew) await syncFolder(folder);
  failPoint('archive-step');
  return { bytes: file.bytes + frame.length, hash: nextHash(file.hash, frame), rows: file.rows + lines.length };
}

async function frameOf({ key, hash }: ArchiveFile, lines: readonly string[]): Promise<Buffer> {
  const content = await compress(lines.join('\n'), { params: { [brotli.BROTLI_PARAM_QUALITY]: EFFORT } });
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, Buffer.from(key, 'base64url'), nonce).setAAD(Buffer.from(hash, 'hex'));
  const body = Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

/** Makes the name of a new file durable. Windows cannot open a folder, and does so by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** How a file stands. `damaged`: it was changed or cut. */
export type FileState = 'whole' | 'missing' | 'damaged';

/** A place between two frames of a file: how many bytes lie before it, and their hash. */
export interface FramePlace {
  readonly bytes: number;
  readonly hash: string;
}
export const BEGINNING: FramePlace = { bytes: 0, hash: NO_HASH };

/** Which lines of a file are looked for. */
interface Search {
  wanted: (line: string) => boolean;
  /** Where it begins, and after how many lines it stops. */
  from: FramePlace;
  most: number;
}

/**
 * Reads a file, and compares it with what the books say. It keeps the thread busy, so it is not for the main thread.
 * @returns the chosen lines. `next` is where the search goes on when it has stopped. Without `next` the lines are all
 * of them, if the file is whole.
 */
export async function readArchiveFile(
  folder: string,
  file: ArchiveFile,
  { wanted, from, most }: Search,
): Promise<{ state: FileState; lines: string[]; next?: FramePlace }> {
  const lines: string[] = [];
  if (file.bytes === 0) return { state: 'whole', lines };
  const handle = await open(pathOf(folder, file.id), constants.O_RDONLY).catch(() => undefined);
  if (handle === undefined) return { state: 'missing', lines };
  try {
    let { bytes, hash } = from;
    while (bytes < file.bytes) {
      if (lines.length >= most) return { state: 'whole', lines, next: { bytes, hash } };
      const frame = await frameAt(handle, bytes, file.bytes);
      for (const line of linesOf(frame, file.key, hash)) if (wanted(line)) lines.push(line);
      hash = nextHash(hash, frame);
      bytes += frame.length;
    }
    return { state: hash === file.hash ? 'whole' : 'damaged', lines };
  } catch {
    return { state: 'damaged', lines };
  } finally {
    await handle.close();
  }
}

/** Reads one frame, so that a long file never is in memory as a whole. @param end where the file's last frame ends */
async function frameAt(handle: FileHandle, at: number, end: number): Promise<Buffer> {
  const length = await bytesAt(handle, at, LENGTH_BYTES);
  const size = LENGTH_BYTES + length.readUInt32BE();
  if (at + size > end) throw new Error('a frame of the archive goes beyond the end of its file');
  return await bytesAt(handle, at, size);
}

async function bytesAt(handle: FileHandle, at: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  for (let filled = 0; filled < size; ) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, at + filled);
    if (bytesRead === 0) throw new Error('a file of the archive has been cut');
    filled += bytesRead;
  }
  return bytes;
}

function linesOf(frame: Buffer, key: string, hash: string): string[] {
  const body = frame.subarray(LENGTH_BYTES);
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64url'), body.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  }).setAAD(Buffer.from(hash, 'hex'));
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  const content = Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return brotliDecompressSync(content).toString('utf8').split('\n');
}
