import { ORPCError } from '@orpc/server';
import type { AppTrust, Grant } from '../../../src-shared/operator-contract/apps.ts';
import type { GrantedSpending } from '../../access/grants/approvals.ts';
import { newId } from '../../platform/ids.ts';
import type { OperatorContext } from '../context.ts';
import { doOrWait } from '../second-person/do-or-wait.ts';
import { refuseAlone } from '../second-person/limits.ts';
import type { ShownAct } from '../second-person/tables.ts';
import { operations } from './guarded-operations.ts';

const { apps } = operations;

/** The most frozen grants that are listed, and allowed again, at a time. */
const FROZEN_LISTED = 100;

export const appsHandlers = apps.router({
  grants: apps.grants.handler(({ context, input }) => context.access.views.listGrants(input)),
  grant: apps.grant.handler(async ({ context, input, errors }) => {
    const grant = await context.access.views.getGrant(input.id);
    if (grant === undefined) throw errors.NOT_FOUND();
    return grant;
  }),
  trust: apps.trust.handler(async ({ context, input, errors }) => {
    const grant = await context.access.views.getGrant(input.id);
    if (grant === undefined) throw errors.NOT_FOUND();
    return await trustIn(context, grant);
  }),
  chooseTrust: apps.chooseTrust.handler(async ({ context, input, errors }) => {
    const grant = await context.access.views.getGrant(input.id);
    if (grant === undefined) throw errors.NOT_FOUND();
    if (!canChoose(context, grant)) throw errors.NO_CHOICE();
    await context.access.tiers.choose(grant.client.id, input.tier);
    return await trustIn(context, grant);
  }),
  rotateToken: apps.rotateToken.handler(async ({ context, input, errors }) => {
    const rotated = await context.access.tokens.rotateByOperator(input.id);
    if (!rotated.ok) throw rotated.error === 'not_found' ? errors.NOT_FOUND() : errors.ENDED();
    return await existing(context, rotated.value);
  }),
  revokeToken: apps.revokeToken.handler(async ({ context, input, errors }) => {
    const revoked = await context.access.tokens.revokeByOperator(input.id);
    if (!revoked.ok) throw errors.NOT_FOUND();
    return await existing(context, revoked.value);
  }),
  allowAgain: apps.allowAgain.handler(async ({ context, input, errors }) => {
    if ((await context.access.views.getGrant(input.id)) === undefined) throw errors.NOT_FOUND();
    if (!(await allowAgain(context, errors, input.id))) throw errors.NOT_FROZEN();
    return await existing(context, input.id);
  }),
  frozen: apps.frozen.handler(({ context }) => context.access.views.listFrozen(FROZEN_LISTED)),
  allowSeveralAgain: apps.allowSeveralAgain.handler(async ({ context, input, errors }) => {
    const answer = { allowed: 0, waiting: 0 };
    let refusal: unknown;
    for (const id of new Set(input.ids)) {
      try {
        if (await allowAgain(context, errors, id)) answer.allowed += 1;
      } catch (error) {
        if (!(error instanceof ORPCError)) throw error;
        if (error.code === 'WAITS_FOR_SECOND') answer.waiting += 1;
        else refusal = error;
      }
    }
    if (refusal !== undefined) throw refusal;
    return answer;
  }),
  revokeAll: apps.revokeAll.handler(async ({ context, input }) => ({ ended: await context.access.views.revokeAllOf(input.client) })),
  revokeSeveral: apps.revokeSeveral.handler(async ({ context, input }) => ({ ended: await context.access.views.revokeSeveral(input.ids) })),
  revokeGrant: apps.revokeGrant.handler(async ({ context, input, errors }) => {
    const revoked = await context.access.views.revokeGrant(input.id);
    if (!revoked.ok) throw errors.NOT_FOUND();
    return await existing(context, input.id);
  }),
});

/** Lets a frozen grant count again, or lets that wait for a second person, as an approval. */
async function allowAgain(context: OperatorContext, errors: Parameters<typeof doOrWait>[1], id: string): Promise<boolean> {
  let spending: GrantedSpending | undefined;
  return await doOrWait(
    context,
    errors,
    () =>
      context.access.views.allowAgain(id, async (tx, granted) => {
        spending = granted;
        if (granted !== undefined) await refuseAlone(tx, 'approvals', granted.account, granted.debitLimit);
      }),
    async () => ({
      ...{ id: newId(), operation: 'apps.allowAgain', subject: id, input: { id } },
      shown: { whom: (await existing(context, id)).client.id, ...shownSpending(spending) },
    }),
  );
}

function shownSpending(spending: GrantedSpending | undefined): ShownAct {
  if (spending === undefined) return {};
  const { account, debitLimit } = spending;
  const { publicName: accountName, assetCode, assetScale } = account;
  return { accountName, ...(debitLimit !== null && { amount: { value: debitLimit.toString(), assetCode, assetScale } }) };
}

async function existing(context: OperatorContext, id: string): Promise<Grant> {
  const grant = await context.access.views.getGrant(id);
  if (grant === undefined) throw new Error('a grant is gone right after it was changed');
  return grant;
}

/** Accounts of this node are always trusted, and a key alone never is. */
const canChoose = ({ access }: OperatorContext, { client }: Grant): boolean => client.host !== null && !access.tiers.isOwn(client.id);

async function trustIn(context: OperatorContext, grant: Grant): Promise<AppTrust> {
  const { tiers } = context.access;
  const limits = tiers.limits();
  const { id } = grant.client;
  if (canChoose(context, grant)) return { ...(await tiers.trustIn(id)), canChoose: true, limits };
  const tier = tiers.isOwn(id) ? 'trusted' : 'stranger';
  return { tier, chosen: null, usual: tier, canChoose: false, limits };
}
