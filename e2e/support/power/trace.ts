import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HEAD_BYTES = 40;

/** What happened in the recorded folder, in the order in which it happened. */
export type TraceRecord =
  /** A file was opened. `isNew`: it was not there before. */
  | { kind: 'open'; inode: bigint; path: string; isNew: boolean; isCut: boolean }
  | { kind: 'write'; inode: bigint; at: number; data: Buffer }
  | { kind: 'truncate'; inode: bigint; size: number }
  /** A sync begins, or has ended. `folder` is the path of the folder that is synced; it is undefined for a file. */
  | { kind: 'syncing' | 'synced'; inode: bigint; number: bigint; folder: string | undefined }
  | { kind: 'unlink' | 'mkdir' | 'rmdir'; path: string }
  | { kind: 'rename'; path: string; to: string }
  /** Somebody has been told something. */
  | { kind: 'told'; fact: string };

const FOLDER_KINDS = { U: 'unlink', M: 'mkdir', D: 'rmdir' } as const;

/** Whether this computer can record: it needs Linux and a C compiler. @returns what is missing. */
export function recorderNeeds(): string | undefined {
  if (process.platform !== 'linux') return 'Power cuts are replayed on Linux only, where LD_PRELOAD can record what a process writes.';
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'Power cuts are replayed from a recording, and the recorder has to be compiled: install a C compiler, "cc" (on Debian: apt install gcc libc6-dev).';
  }
}

/** Records what processes do to the files below a folder, with the C library between them and the system. */
export class Recorder {
  readonly file: string;
  /** The environment of the processes that are recorded. */
  readonly env: Readonly<Record<string, string>>;

  /** @param root the folder that is recorded. @param place a folder for the trace and the recorder itself. */
  constructor(root: string, place: string) {
    this.file = join(place, 'trace');
    const library = join(place, 'recorder.so');
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, 'recorder.c'), '-ldl']);
    writeFileSync(this.file, '');
    this.env = { LD_PRELOAD: library, PAYDESK_RECORD_ROOT: root, PAYDESK_RECORD_TRACE: this.file, UV_USE_IO_URING: '0' };
  }

  /** Notes that somebody has been told `fact`. From now on no power cut may take it away. */
  told(fact: object): void {
    const data = Buffer.from(JSON.stringify(fact));
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE('A'.charCodeAt(0), 0);
    head.writeUInt32LE(data.length, 12);
    appendFileSync(this.file, Buffer.concat([head, data]));
  }
}

/** Reads a whole trace. The data of writes are parts of one buffer. */
export function readTrace(file: string): TraceRecord[] {
  const bytes = readFileSync(file);
  const records: TraceRecord[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lengths = [4, 8, 12].map((place) => bytes.readUInt32LE(at + place));
    let next = at + HEAD_BYTES;
    const [path, other, data] = lengths.map((length) => {
      next += length;
      return bytes.subarray(next - length, next);
    }) as [Buffer, Buffer, Buffer];
    const numbers = [16, 24, 32].map((place) => bytes.readBigUInt64LE(at + place)) as [bigint, bigint, bigint];
    records.push(recordOf(String.fromCharCode(bytes.readUInt32LE(at)), numbers, { path: `${path}`, to: `${other}`, data }));
    at = next;
  }
  return records;
}

interface Parts {
  path: string;
  to: string;
  data: Buffer;
}

function recordOf(kind: string, [inode, at, more]: [bigint, bigint, bigint], { path, to, data }: Parts): TraceRecord {
  switch (kind) {
    case 'O':
      return { kind: 'open', inode, path, isNew: at === 1n, isCut: more === 1n };
    case 'W':
      return { kind: 'write', inode, at: Number(at), data };
    case 'T':
      return { kind: 'truncate', inode, size: Number(at) };
    case 'B':
    case 'E':
      return { kind: kind === 'B' ? 'syncing' : 'synced', inode, number: at, folder: path || undefined };
    case 'U':
    case 'M':
    case 'D':
      return { kind: FOLDER_KINDS[kind], path };
    case 'R':
      return { kind: 'rename', path, to };
    case 'A':
      return { kind: 'told', fact: data.toString() };
    default:
      throw new Error(`a record of an unknown kind: ${kind}`);
  }
}
