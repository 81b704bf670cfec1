import { createCipheriv, createDecipheriv, hash as hashOf, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants as brotli, brotliCompress, brotliDecompress } from 'node:zlib';
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
const decompress = promisify(brotliDecompress);

/** The hash of a file in which nothing stands. */
export const NO_HASH = '';

/** The folder of the archive's files. */
export const archiveFolder = (dataFolder: string): string => join(dataFolder, 'archive');

const pathOf = (folder: string, id: string): string => join(folder, `${id}.archive`);
const nextHash = (before: string, frame: Buffer): string => hashOf('sha256', Buffer.concat([Buffer.from(before, 'hex'), frame]), 'hex');
/** The end of a file behind one more frame. */
const endBehind = (file: ArchiveFile, frame: Buffer, rows: number): End => ({
  bytes: file.bytes + frame.length,
  hash: nextHash(file.hash, frame),
  rows: file.rows + rows,
});

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
  return endBehind(file, frame, lines.length);
}

/** The frame with which these lines stand behind the end of a file, and where the file ends then. */
export async function nextFrame(file: ArchiveFile, lines: readonly string[]): Promise<{ frame: Buffer; end: End }> {
  const frame = await frameOf(file, lines);
  return { frame, end: endBehind(file, frame, lines.length) };
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
export interface Search {
  wanted: (line: string) => boolean;
  /** Where it begins, and after how many lines it stops. */
  from: FramePlace;
  most: number;
}

/** Reads the frame behind `at` bytes of a file. @throws Error when it is not there, or goes beyond `end`. */
export type ReadFrame = (at: number, end: number) => Promise<Buffer>;

/** What was found in a file. */
export interface Found {
  state: FileState;
  lines: string[];
  /** Where the search goes on when it has stopped. Without it the lines are all of them, if the file is whole. */
  next?: FramePlace;
}

/** Reads a file in a folder, and compares it with what the books say. */
export async function readArchiveFile(folder: string, file: ArchiveFile, search: Search): Promise<Found> {
  if (file.bytes === 0) return { state: 'whole', lines: [] };
  const handle = await open(pathOf(folder, file.id), constants.O_RDONLY).catch(() => undefined);
  if (handle === undefined) return { state: 'missing', lines: [] };
  try {
    return await readFrames(file, search, (at, end) => frameAt(handle, at, end));
  } finally {
    await handle.close();
  }
}

/** Reads what stands in a file, frame by frame, and compares it with what the books say. */
export async function readFrames(file: ArchiveFile, { wanted, from, most }: Search, readFrame: ReadFrame): Promise<Found> {
  const lines: string[] = [];
  try {
    let { bytes, hash } = from;
    while (bytes < file.bytes) {
      if (lines.length >= most) return { state: 'whole', lines, next: { bytes, hash } };
      const frame = await readFrame(bytes, file.bytes);
      for (const line of await linesOf(frame, file.key, hash)) if (wanted(line)) lines.push(line);
      hash = nextHash(hash, frame);
      bytes += frame.length;
    }
    return { state: hash === file.hash ? 'whole' : 'damaged', lines };
  } catch {
    return { state: 'damaged', lines };
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

async function linesOf(frame: Buffer, key: string, hash: string): Promise<string[]> {
  const body = frame.subarray(LENGTH_BYTES);
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64url'), body.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  }).setAAD(Buffer.from(hash, 'hex'));
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  const content = Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return (await decompress(content)).toString('utf8').split('\n');
}
