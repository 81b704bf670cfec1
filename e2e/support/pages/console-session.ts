import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { z } from 'zod';
import type { Operator } from '../nodes/running-node.ts';

const SignedIn = z.object({ pageSecret: z.string() });

/** What the browser of a signed-in operator holds. */
interface ConsoleSession {
  /** The two secrets of the session. */
  readonly cookie: string;
  readonly pageSecret: string;
  readonly operator: Operator;
}

/** Opens a console link as the console's own page does. @throws Error when the link opens nothing. */
export async function openConsoleLink(link: string): Promise<ConsoleSession> {
  const { origin, hash } = new URL(link);
  const headers = { origin, 'x-paydesk-console': '1', 'content-type': 'application/json' };
  const body = JSON.stringify({ secret: hash.replace('#link=', '') });
  const answer = await fetch(`${origin}/operator/session`, { method: 'POST', headers, body });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`the link does not open the console (${answer.status})`);
  const { pageSecret } = SignedIn.parse(await answer.json());
  const signedIn = { origin, 'x-paydesk-console': '1', 'x-paydesk-session': pageSecret, cookie };
  const operator: Operator = createORPCClient(new RPCLink({ url: `${origin}/operator/rpc`, headers: signedIn }));
  return { cookie: cookie.slice(cookie.indexOf('=') + 1), pageSecret, operator };
}
