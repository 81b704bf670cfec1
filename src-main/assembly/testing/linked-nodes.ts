import type { OutboundHttp } from '../../platform/outbound-http/outbound-http.ts';
import { ok } from '../../platform/result.ts';
import { openTestNode, type TestNode } from './test-node.ts';

/** A request that one node made of another. */
interface Passed {
  method: string;
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
}

/** The outbound HTTP of a node whose requests all go to `node`. Each request is added to `passed`. */
export function linkTo(node: () => TestNode, passed: Passed[]): OutboundHttp {
  const ask = async (method: string, url: string, headers: Readonly<Record<string, string>>, body?: string | Buffer) => {
    const { pathname, search, host } = new URL(url);
    const answer = await node().app.inject({
      method: method === 'POST' ? 'POST' : method === 'DELETE' ? 'DELETE' : 'GET',
      url: pathname + search,
      headers: { host, ...headers },
      ...(body !== undefined && { payload: body }),
    });
    passed.push({ method, url, status: answer.statusCode, headers });
    return ok({ status: answer.statusCode, body: answer.body === '' ? undefined : (JSON.parse(answer.body) as unknown), url });
  };
  return {
    getJson: (url) => ask('GET', url, { accept: 'application/json' }),
    requestJson: (method, url, { headers = {}, body }) => ask(method, url, headers, body),
    close: () => undefined,
  };
}

/** Opens two nodes that reach each other. Each has its own database, secrets and clock. Their requests are recorded. */
export async function openLinkedNodes({ tokenLifetime = 600 }: { tokenLifetime?: number } = {}) {
  const [toPayee, toPayer]: [Passed[], Passed[]] = [[], []];
  const PAYEE = 'https://wallet.example';
  const payer: TestNode = await openTestNode({ others: new Map([[PAYEE, linkTo(() => payee, toPayee)]]) });
  const payee: TestNode = await openTestNode({
    origin: PAYEE,
    formerOrigins: [],
    config: { tokenLifetime },
    others: new Map([[payer.urls.origin, linkTo(() => payer, toPayer)]]),
  });
  const advance = (ms: number): void => {
    for (const { clock } of [payer, payee]) clock.advance(ms);
  };
  const close = async (): Promise<void> => {
    await payer.close();
    await payee.close();
  };
  return { payer, payee, toPayee, toPayer, advance, close };
}

export type LinkedNodes = Awaited<ReturnType<typeof openLinkedNodes>>;
