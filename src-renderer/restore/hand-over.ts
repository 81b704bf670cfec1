import { client } from '../transport/operator-client.ts';

/**
 * Hands a file over to the node, part by part.
 * @param onPart is told how much has been taken, from 0 to 1.
 * @returns the name under which the node has it.
 * @throws what the node answers, or the signal's reason.
 */
export async function handOver(file: Blob, onPart: (taken: number) => void, signal: AbortSignal): Promise<string> {
  const { id, partBytes } = await client.restore.begin({ bytes: file.size }, { signal });
  for (let offset = 0; offset < file.size; offset += partBytes) {
    const part = new Uint8Array(await file.slice(offset, offset + partBytes).arrayBuffer());
    await client.restore.part({ id, offset, data: base64(part) }, { signal });
    onPart(Math.min(1, (offset + part.length) / file.size));
  }
  return id;
}

/** Few enough to be the arguments of one call. */
const AT_ONCE = 0x8000;

/** Base64 with padding (RFC 4648 §4). */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(text);
}
