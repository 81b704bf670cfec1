import { client } from '../transport/operator-client.ts';

/**
 * Sends a file to the node, part by part.
 * @param onPart gets the share that the node has taken, from 0 to 1
 * @returns the id under which the node keeps the file
 * @throws the node's error, or the signal's reason
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

/** How many bytes can be the arguments of one call. */
const AT_ONCE = 0x8000;

/** Base64 with padding (RFC 4648 §4). */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(text);
}
