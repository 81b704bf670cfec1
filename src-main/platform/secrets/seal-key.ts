import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sealKeyProblems as problems } from '../../../src-shared/words/terminal/shared-database.ts';
import { ReportedError } from '../errors.ts';

const KEY_BYTES = 32;
/** How long the program that prints the key may take, in milliseconds. It may ask a service elsewhere. */
const PROGRAM_MS = 30_000;
/** How long the program's output is read after its end, in milliseconds. */
const LAST_OUTPUT_MS = 500;
/** The most that is read of what the program prints, in characters. A key takes 64 at most. */
const MOST_PRINTED = 1_024;

/** The source of the key that seals the node's keys in a shared database. One of them is enough. */
export interface SealKeySource {
  /** The key itself, from `PAYDESK_KEY`. */
  readonly text: string | undefined;
  /** A file whose first line is the key. */
  readonly file: string | undefined;
  /** A command for the system's shell that prints the key. */
  readonly command: string | undefined;
}

/** @returns a new key, in the form in which it is given to the node. */
export const newSealKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

/**
 * Reads the key. Nothing of it, and nothing that the program prints, is part of an error.
 * @returns 32 bytes.
 * @throws ReportedError when there is none, when there are several, or when it cannot be read.
 */
export async function readSealKey(source: SealKeySource, programMs = PROGRAM_MS): Promise<Buffer> {
  const { text, file, command } = source;
  const given = [text, file, command].filter((one) => one !== undefined);
  if (given.length === 0) throw new ReportedError(problems.missing);
  if (given.length > 1) throw new ReportedError(problems.several);
  if (text !== undefined) return parsed(text, problems.wrongText);
  if (file !== undefined) return parsed(contentOf(file), problems.wrongFile({ file }));
  return parsed(await printedBy(command ?? '', programMs), problems.wrongOutput);
}

function parsed(text: string, problem: string): Buffer {
  const typed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(typed)) return Buffer.from(typed, 'hex');
  const bytes = Buffer.from(typed, 'base64url');
  if (!/^[A-Za-z0-9_-]{43}=?$/.test(typed) || bytes.length !== KEY_BYTES) throw new ReportedError(problem);
  return bytes;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? '';
  } catch {
    throw new ReportedError(problems.unreadableFile({ file }));
  }
}

/** @returns what the program writes to its standard output. What it writes elsewhere is lost: it may hold a secret. */
async function printedBy(command: string, programMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'ignore'], timeout: programMs, killSignal: 'SIGKILL' });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (printed.length < MOST_PRINTED) printed += part;
  });
  const ended = (code: number | null, signal: string | null) => (code === 0 ? resolve(printed) : reject(failed(code, signal)));
  child.once('close', ended);
  // A process that the program has started may keep the output open.
  child.once('exit', (code, signal) => setTimeout(ended, LAST_OUTPUT_MS, code, signal).unref());
  child.once('error', () => reject(failed(null, null)));
  return await promise;
}

const failed = (code: number | null, signal: string | null): ReportedError =>
  new ReportedError(signal === 'SIGKILL' ? problems.programTooSlow : problems.programFailed(code));
