import type { Grant } from '../../../src-shared/operator-contract/access.ts';
import type { OperatorContext } from '../context.ts';
import { operations } from './handlers.ts';

const { approvals, apps } = operations;

export const approvalsHandlers = approvals.router({
  list: approvals.list.handler(({ context }) => context.access.listApprovals()),
  get: approvals.get.handler(async ({ context, input, errors }) => {
    const request = await context.access.getApproval(input.id);
    if (request === undefined) throw errors.NOT_FOUND();
    return request;
  }),
  approve: approvals.approve.handler(async ({ context, input, errors }) => {
    const decided = await context.access.approve(input);
    if (decided.ok) return { approved: true };
    switch (decided.error.code) {
      case 'not_found':
        throw errors.NOT_FOUND();
      case 'not_waiting':
        throw errors.NOT_WAITING();
      case 'changed':
        throw errors.CHANGED();
      case 'limit_needed':
        throw errors.LIMIT_NEEDED();
      case 'nothing_to_limit':
        throw errors.NOTHING_TO_LIMIT();
      case 'expiry_past':
        throw errors.EXPIRY_PAST();
      case 'wrong_code':
        throw errors.WRONG_CODE({ data: { attemptsLeft: decided.error.attemptsLeft } });
    }
  }),
  deny: approvals.deny.handler(async ({ context, input, errors }) => {
    const decided = await context.access.deny(input.id);
    if (!decided.ok) throw decided.error === 'not_found' ? errors.NOT_FOUND() : errors.NOT_WAITING();
    return { denied: true };
  }),
});

export const appsHandlers = apps.router({
  grants: apps.grants.handler(({ context, input: { cursor, limit } }) => context.access.listGrants({ cursor, limit })),
  grant: apps.grant.handler(async ({ context, input, errors }) => {
    const grant = await context.access.getGrant(input.id);
    if (grant === undefined) throw errors.NOT_FOUND();
    return grant;
  }),
  rotateToken: apps.rotateToken.handler(async ({ context, input, errors }) => {
    const rotated = await context.access.rotateToken(input.id);
    if (!rotated.ok) throw rotated.error === 'not_found' ? errors.NOT_FOUND() : errors.ENDED();
    return await existing(context, rotated.value);
  }),
  revokeToken: apps.revokeToken.handler(async ({ context, input, errors }) => {
    const revoked = await context.access.revokeToken(input.id);
    if (!revoked.ok) throw errors.NOT_FOUND();
    return await existing(context, revoked.value);
  }),
  allowAgain: apps.allowAgain.handler(async ({ context, input, errors }) => {
    if ((await context.access.getGrant(input.id)) === undefined) throw errors.NOT_FOUND();
    if (!(await context.access.allowAgain(input.id))) throw errors.NOT_FROZEN();
    return await existing(context, input.id);
  }),
  revokeAll: apps.revokeAll.handler(async ({ context, input }) => ({ ended: await context.access.revokeAllOf(input.client) })),
  revokeGrant: apps.revokeGrant.handler(async ({ context, input, errors }) => {
    const revoked = await context.access.revokeGrant(input.id);
    if (!revoked.ok) throw errors.NOT_FOUND();
    return await existing(context, input.id);
  }),
});

async function existing(context: OperatorContext, id: string): Promise<Grant> {
  const grant = await context.access.getGrant(id);
  if (grant === undefined) throw new Error('a grant is gone right after it was changed');
  return grant;
}
