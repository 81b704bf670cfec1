import type { OutboundBytes, OutboundHttp } from '../../platform/outbound-http/outbound-http.ts';
import { ok, refuse } from '../../platform/result.ts';
import { openTestNode, type TestNode } from './test-node.ts';

/** A message from one node to another, and what becomes of it. */
interface Message {
  from: string;
  path: string;
  body: unknown;
  headers: Readonly<Record<string, string>>;
}

/** `request`: it never arrives. `answer`: it arrives, and its answer never comes back. */
type Lost = 'request' | 'answer' | undefined;

/**
 * Nodes that reach each other by their origins, each with its own books, secrets and clock. `passed` has every message
 * that arrived, and `lose` decides which get lost.
 */
export async function openPeeringNodes(origins: readonly string[]) {
  const nodes = new Map<string, TestNode>();
  const passed: Message[] = [];
  const line: { lose: (message: Message) => Lost; before: (message: Message) => Promise<void> } = {
    lose: () => undefined,
    before: async () => undefined,
  };

  const post = async (from: string, url: string, headers: Readonly<Record<string, string>>, payload: string | Buffer) => {
    const { origin, pathname, host } = new URL(url);
    const node = nodes.get(origin);
    const isJson = headers['content-type'] === 'application/json';
    const message = { from, path: pathname, headers, body: isJson ? (JSON.parse(payload.toString()) as unknown) : undefined };
    await line.before(message);
    const lost = line.lose(message);
    if (node === undefined || lost === 'request') return undefined;
    const answer = await node.app.inject({ method: 'POST', url: pathname, headers: { host, ...headers }, payload });
    passed.push(message);
    return lost === 'answer' ? undefined : answer;
  };
  const httpOf = (from: string): OutboundHttp => ({
    getJson: async () => refuse('unreachable'),
    requestJson: async (_method, url, { headers = {}, body = '' }) => {
      const answer = await post(from, url, headers, body);
      return answer === undefined ? refuse('timed_out') : ok({ status: answer.statusCode, body: JSON.parse(answer.body) as unknown, url });
    },
    close: () => undefined,
  });
  const bytesOf = (from: string): OutboundBytes => ({
    postBytes: async (url, { headers, body }) => {
      const answer = await post(from, url, headers, body);
      return answer === undefined
        ? refuse({ problem: 'unreachable', sent: true })
        : ok({ status: answer.statusCode, body: answer.rawPayload });
    },
    mayAsk: () => true,
  });
  for (const origin of origins) {
    const others = new Map(origins.map((other) => [other, httpOf(origin)]));
    nodes.set(origin, await openTestNode({ origin, formerOrigins: [], others, peerHttp: bytesOf(origin), config: { clientRate: 50 } }));
  }
  const node = (origin: string): TestNode => {
    const found = nodes.get(origin);
    if (found === undefined) throw new Error('no such node');
    return found;
  };
  return {
    node,
    passed,
    line,
    advance: (ms: number): void => {
      for (const { clock } of nodes.values()) clock.advance(ms);
    },
    close: async (): Promise<void> => {
      for (const one of nodes.values()) await one.close();
    },
  };
}

/**
 * What a test of the connection has found. The clock of these nodes stands still, so no copy of a packet ever expires,
 * and whether the peer recognises repetitions cannot be told.
 */
export const connectionOf = <T>(finding: T): T | 'accepted' => (finding === 'forgets_repetitions' ? 'accepted' : finding);
