import type { IncomingMessage } from 'node:http';

/** Reads the whole body of a request or an answer. @throws when the connection ends before the body. */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
