import type { RunningNode } from './running-node.ts';

const INSPECTOR = /ws:\/\/\S+/;

/** The environment of a node in which {@link evaluateIn} works. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * Evaluates JavaScript in the process of a node that was started with {@link INSPECTED}, and awaits its value.
 * @returns a number, a text or a truth value; undefined for everything else.
 */
export async function evaluateIn(node: RunningNode, expression: string): Promise<unknown> {
  const url = node.log.map((line) => INSPECTOR.exec(line)?.[0]).find((found) => found !== undefined) ?? '';
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const answered = new Promise<MessageEvent>((resolve) => {
    socket.onmessage = resolve;
  });
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, awaitPromise: true } }));
  const { data } = await answered;
  socket.close();
  return (JSON.parse(String(data)) as { result: { result: { value?: unknown } } }).result.result.value;
}
