import { randomBytes } from 'node:crypto';
import { Decrypter, Encrypter } from 'age-encryption';
import { describe, expect, it } from 'vitest';
import { type Bytes, encrypted, opened } from './age-payload.ts';
import { passphraseIdentity, passphraseRecipient } from './passphrase.ts';

const PASSPHRASE = 'correct horse battery staple';
const CHUNK = 64 * 1024;
/** Sizes around the ends of chunks. */
const SIZES = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 5 * CHUNK + 7];

async function all(bytes: Bytes): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
/** The same bytes in parts of another size. */
const inParts = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));

const sealed = (content: Bytes) => all(encrypted(content, passphraseRecipient(PASSPHRASE, 4)));
async function read(file: Buffer): Promise<Buffer> {
  const age = await opened(file, passphraseIdentity(PASSPHRASE));
  if (age === undefined) throw new Error('not opened');
  return await all(age.decrypted(inParts(file.subarray(age.headerBytes), 1_000)));
}

async function byLibrary(content: Buffer): Promise<Buffer> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(passphraseRecipient(PASSPHRASE, 4));
  return Buffer.from(await encrypter.encrypt(content));
}

describe('the payload of an age file', () => {
  it.each(SIZES)('of %i bytes is read by the library, and that of the library is read', async (size) => {
    const content = randomBytes(size);
    const file = await sealed(inParts(content, 70_001));
    const decrypter = new Decrypter();
    decrypter.addPassphrase(PASSPHRASE);
    expect(Buffer.from(await decrypter.decrypt(file)).equals(content)).toBe(true);
    expect((await read(await byLibrary(content))).equals(content)).toBe(true);
  });

  it('is refused when chunks are missing, change places or follow the end', async () => {
    const file = await sealed([randomBytes(3 * CHUNK)]);
    const { headerBytes = 0 } = (await opened(file, passphraseIdentity(PASSPHRASE))) ?? {};
    const [head, ...chunks] = [file.subarray(0, headerBytes), ...inParts(file.subarray(headerBytes), CHUNK + 16)];
    expect(chunks).toHaveLength(3);
    const [one, two, three] = chunks as [Buffer, Buffer, Buffer];
    for (const other of [
      [],
      [one, two],
      [one, three],
      [two, one, three],
      [one, two, three, three],
      [one, two, three.subarray(1)],
      [three],
    ]) {
      await expect(read(Buffer.concat([head, ...other]))).rejects.toThrow();
    }
    expect(await read(Buffer.concat([head, one, two, three]))).toHaveLength(3 * CHUNK);
  });

  it('is not read without a whole header', async () => {
    const file = await sealed([randomBytes(10)]);
    const { headerBytes = 0 } = (await opened(file, passphraseIdentity(PASSPHRASE))) ?? {};
    for (const length of [0, 20, headerBytes - 17, headerBytes - 1])
      expect(await opened(file.subarray(0, length), passphraseIdentity(PASSPHRASE))).toBeUndefined();
  });
});
