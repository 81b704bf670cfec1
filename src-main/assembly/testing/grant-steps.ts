import { z } from '../../../src-shared/zod.ts';
import type { Grant } from '../../access/grant-rows.ts';
import { ORIGIN, type TestNode } from './test-node.ts';

const GrantAnswer = z.object({
  access_token: z.object({ value: z.string(), manage: z.string() }).optional(),
  continue: z.object({ uri: z.string(), access_token: z.object({ value: z.string() }) }),
  interact: z.object({ redirect: z.string() }).optional(),
});

/** The path at which a client continues with its grant, and the token for it. */
interface Handle {
  path: string;
  token: string;
}

export interface StartedGrant {
  continuation: Handle;
  /** The management path and the value of the access token. It is undefined when the node gave no token at once. */
  token: Handle | undefined;
  /** The URL of the interaction page. It is empty when there is none. */
  redirect: string;
}

const pathOf = (url: string): string => new URL(url).pathname;

/** Asks for a grant as the shop. */
export async function startGrant(node: TestNode, request: object): Promise<StartedGrant> {
  const { body } = await node.call({ method: 'POST', path: '/auth', body: { client: node.shop.url, ...request } });
  const answer = GrantAnswer.parse(body);
  return {
    continuation: { path: pathOf(answer.continue.uri), token: answer.continue.access_token.value },
    token: answer.access_token && { path: pathOf(answer.access_token.manage), token: answer.access_token.value },
    redirect: answer.interact?.redirect ?? '',
  };
}

/** The grant behind a continuation. */
export async function grantOf(node: TestNode, { path, token }: Handle): Promise<Grant> {
  const grant = await node.access.continuations.find(path.split('/').at(-1) ?? '', token);
  if (grant === undefined) throw new Error('no such grant');
  return grant;
}

/** Makes a grant request that waits for the operator. It asks for a right to pay from alice, within these limits. */
export async function asked(node: TestNode, limits: object = { debitAmount: { value: '1000', assetCode: 'USD', assetScale: 2 } }) {
  const { continuation, redirect } = await startGrant(node, {
    access_token: {
      access: [
        {
          type: 'outgoing-payment',
          actions: ['create', 'read'],
          identifier: `${ORIGIN}/alice`,
          limits,
        },
      ],
    },
    interact: { start: ['redirect'], finish: { method: 'redirect', uri: 'https://shop.example/back', nonce: 'n' } },
  });
  const page = await node.app.inject({ url: new URL(redirect).pathname, headers: { accept: 'text/html' } });
  const code = /class="code"[^>]*>(\d{4})</.exec(page.body)?.[1] ?? '';
  const { id } = await grantOf(node, continuation);
  const { shownHash = '' } = (await node.access.views.getApproval(id)) ?? {};
  return { id, code, shownHash, continuation };
}
