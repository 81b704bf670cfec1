import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { Decrypter, Encrypter, type Identity, type Recipient } from 'age-encryption';

// The payload of the age format (age-encryption.org/v1, "Payload"), with the cipher of Node.js. The library's cipher is
// JavaScript and takes seven times as long. The library does the header.

const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 16;
const KEY_BYTES = 32;
const CIPHER = 'chacha20-poly1305';
/** The last line of a header: a MAC of 32 bytes. */
const HEADER_END = /\n--- [A-Za-z0-9+/]{43}\n/;
/** A header with one passphrase has 150 bytes. */
const MOST_HEADER_BYTES = 4096;

export type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Encrypts `content`. @returns the bytes of the whole file, in order. */
export async function* encrypted(content: Bytes, recipient: Recipient): AsyncGenerator<Buffer> {
  let fileKey = Buffer.alloc(0);
  const encrypter = new Encrypter();
  encrypter.addRecipient({
    wrapFileKey: (key) => {
      fileKey = Buffer.from(key);
      return recipient.wrapFileKey(key);
    },
  });
  // The file of an empty content is the header, the nonce, and the tag of nothing. The tag is used by nobody.
  const start = Buffer.from(await encrypter.encrypt(new Uint8Array())).subarray(0, -TAG_BYTES);
  yield start;
  const key = payloadKey(fileKey, start.subarray(-NONCE_BYTES));
  for await (const { chunk, nonce } of chunks(content, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    const body = cipher.update(chunk);
    cipher.final();
    yield Buffer.concat([body, cipher.getAuthTag()]);
  }
}

/**
 * Opens an encrypted file.
 * @param start its first bytes, as many as {@link startBytes} at least when it has so many.
 * @returns how long its header is, and what decrypts the bytes after it. The result is good only once it has ended. It
 * returns undefined when `identity` does not open the file.
 */
export async function opened(
  start: Buffer,
  identity: Identity,
): Promise<{ headerBytes: number; decrypted: (payload: Bytes) => AsyncGenerator<Buffer> } | undefined> {
  const text = start.toString('latin1');
  const end = HEADER_END.exec(text);
  if (end === null) return undefined;
  const macEnd = end.index + end[0].length;
  const headerBytes = macEnd + NONCE_BYTES;
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const fileKey = await decrypter.decryptHeader(start.subarray(0, macEnd)).catch(() => undefined);
  if (fileKey === undefined || start.length < headerBytes) return undefined;
  const key = payloadKey(fileKey, start.subarray(macEnd, headerBytes));
  return { headerBytes, decrypted: (payload) => decrypt(payload, key) };
}

/** How much of a file {@link opened} needs. */
export const startBytes = MOST_HEADER_BYTES + NONCE_BYTES;

async function* decrypt(payload: Bytes, key: Buffer): AsyncGenerator<Buffer> {
  for await (const { chunk, nonce, first } of chunks(payload, CHUNK_BYTES + TAG_BYTES)) {
    // Only the first chunk may be empty. Otherwise one content could have two forms.
    if (chunk.length < (first ? TAG_BYTES : TAG_BYTES + 1)) throw new Error('the file has no end');
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
    const body = decipher.update(chunk.subarray(0, -TAG_BYTES));
    decipher.final();
    yield body;
  }
}

const payloadKey = (fileKey: Uint8Array, nonce: Buffer): Buffer => Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', KEY_BYTES));

/**
 * Cuts bytes into chunks of one size, of which only the last may be smaller.
 * @returns each with its nonce: its number, and whether it is the last. A chunk is valid until the next one is asked
 * for.
 */
async function* chunks(bytes: Bytes, size: number): AsyncGenerator<{ chunk: Buffer; nonce: Buffer; first: boolean }> {
  const chunk = Buffer.allocUnsafe(size);
  const nonce = Buffer.alloc(12);
  let [used, count] = [0, 0];
  for await (const part of bytes) {
    for (let at = 0; at < part.length; ) {
      if (used === size) {
        yield { chunk, nonce, first: count === 0 };
        count += 1;
        nonce.writeUIntBE(count, 5, 6);
        used = 0;
      }
      const taken = Math.min(size - used, part.length - at);
      chunk.set(part.subarray(at, at + taken), used);
      used += taken;
      at += taken;
    }
  }
  nonce[11] = 1;
  yield { chunk: chunk.subarray(0, used), nonce, first: count === 0 };
}
