import { connect, type Socket } from 'node:net';
import type { TestNode } from './test-node.ts';

/** The port on which the node listens. The node starts to listen if it does not yet. */
export async function portOf({ app }: TestNode): Promise<number> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

interface RawAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

/** Opens a connection, sends the bytes unchanged, and keeps the connection open. */
export async function openSocket(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.write(bytes, 'latin1');
  return socket;
}

/** The server's answer to the bytes. When the bytes are several requests, it is the answer to the first of them. */
export async function rawAnswer(port: number, bytes: string): Promise<RawAnswer> {
  return await answerOn(await openSocket(port, bytes));
}

/** Reads one answer with a stated length and closes the connection. */
export async function answerOn(socket: Socket): Promise<RawAnswer> {
  let text = '';
  socket.setEncoding('latin1');
  for await (const part of socket) {
    text += String(part);
    const answer = parse(text);
    if (answer === undefined) continue;
    socket.destroy();
    return answer;
  }
  throw new Error(`the connection was closed after ${JSON.stringify(text)}`);
}

function parse(text: string): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = text.slice(end + 4);
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined;
  return { statusCode: Number(first.split(' ')[1]), headers, body };
}
