import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReportedError } from '../errors.ts';
import { newSealKey, readSealKey } from './seal-key.ts';

const HEX = '00ff'.repeat(16);
const BYTES = Buffer.from(HEX, 'hex');
const nothing = { text: undefined, file: undefined, command: undefined };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const fileWith = (content: string): string => {
  const file = join(folder, 'key');
  writeFileSync(file, content);
  return file;
};

describe('the key that seals the keys of a node', () => {
  it('is read from the environment, from the first line of a file, or from what a program prints', async () => {
    const file = fileWith(`${BYTES.toString('base64url')}\nnot this\n`);
    expect(await readSealKey({ ...nothing, text: HEX })).toEqual(BYTES);
    expect(await readSealKey({ ...nothing, file })).toEqual(BYTES);
    expect(await readSealKey({ ...nothing, command: `echo ${HEX}` })).toEqual(BYTES);
  });

  it('is made by a command in a form that is read', async () => {
    const made = newSealKey();
    expect(await readSealKey({ ...nothing, text: made })).toHaveLength(32);
    expect(newSealKey()).not.toBe(made);
  });

  it('is missed in words, and so is the choice between two', async () => {
    await expect(readSealKey(nothing)).rejects.toThrow('make-key');
    await expect(readSealKey({ ...nothing, text: HEX, command: 'true' })).rejects.toThrow('more than once');
  });

  it.each([
    ['in the environment', { text: 'half-a-s3cret' }],
    ['of a program', { command: 'echo half-a-s3cret; echo half-a-s3cret >&2' }],
    ['of a program that fails', { command: 'echo half-a-s3cret; echo half-a-s3cret >&2; exit 7' }],
  ])('is refused without being repeated: %s', async (_, source) => {
    const error: unknown = await readSealKey({ ...nothing, ...source }).catch((reason: unknown) => reason);
    if (!(error instanceof ReportedError)) throw new Error('expected words', { cause: error });
    expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain('half-a-s3cret');
  });

  it('is refused when it has another length, or when its file is not there', async () => {
    await expect(readSealKey({ ...nothing, file: fileWith(HEX.slice(2)) })).rejects.toThrow('no key');
    await expect(readSealKey({ ...nothing, file: join(folder, 'nowhere') })).rejects.toThrow('cannot be read');
    await expect(readSealKey({ ...nothing, text: `${BYTES.toString('base64url')}A` })).rejects.toThrow('no key');
  });

  it.runIf(process.platform !== 'win32')('does not wait for a program that never ends', async () => {
    await expect(readSealKey({ ...nothing, command: 'sleep 60' }, 50)).rejects.toThrow('in time');
  });
});
