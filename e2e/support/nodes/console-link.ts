import { z } from 'zod';
import type { RunningNode } from './running-node.ts';

const Link = z.object({ url: z.url() });

/** Asks a running node for a link that opens its console once, within ten minutes. */
export async function consoleLink(node: RunningNode): Promise<string> {
  const headers = { authorization: `Bearer ${node.operatorToken}` };
  const answer = await fetch(`${node.consoleUrl}/operator/links`, { method: 'POST', headers });
  return Link.parse(await answer.json()).url;
}
