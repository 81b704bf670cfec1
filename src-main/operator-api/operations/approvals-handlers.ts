import { operations } from './guarded-operations.ts';

const { approvals } = operations;

export const approvalsHandlers = approvals.router({
  list: approvals.list.handler(({ context }) => context.access.views.listApprovals()),
  get: approvals.get.handler(async ({ context, input, errors }) => {
    const request = await context.access.views.getApproval(input.id);
    if (request === undefined) throw errors.NOT_FOUND();
    return request;
  }),
  approve: approvals.approve.handler(async ({ context, input, errors }) => {
    const decided = await context.access.approvals.approve(input);
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
    const decided = await context.access.approvals.deny(input.id);
    if (!decided.ok) throw decided.error === 'not_found' ? errors.NOT_FOUND() : errors.NOT_WAITING();
    return { denied: true };
  }),
});
