import { newId } from '../../platform/ids.ts';
import type { OperatorContext } from '../context.ts';
import { doOrWait } from '../second-person/do-or-wait.ts';
import { refuseAlone } from '../second-person/limits.ts';
import type { NewAct } from '../second-person/waiting-acts.ts';
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
    const decided = await doOrWait(
      context,
      errors,
      () =>
        context.access.approvals.approve(input, async (tx, spending) => {
          if (spending !== undefined) await refuseAlone(tx, 'approvals', spending.account, spending.debitLimit);
        }),
      () => waitingApproval(context, input),
    );
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

type Approval = Parameters<OperatorContext['access']['approvals']['approve']>[0];

/** An approval that waits, with the code that its first person has typed. */
async function waitingApproval(context: OperatorContext, input: Approval): Promise<NewAct> {
  const request = await context.access.views.getApproval(input.id);
  if (request === undefined) throw new Error('a grant request is gone right after it was approved');
  const { debitLimit, receiveLimit, expiresAt, ...texts } = input;
  const paying = request.access.find((right) => right.type === 'outgoing-payment' && right.actions.includes('create'));
  const asked = paying?.type === 'outgoing-payment' ? paying.limits?.debitAmount : undefined;
  const most = debitLimit !== undefined && (asked == null || debitLimit < asked.value) ? debitLimit : asked?.value;
  const account = await context.walletAddresses.byId(request.account?.id ?? '');
  return {
    ...{ id: newId(), operation: 'approvals.approve', subject: input.id },
    input: {
      ...texts,
      ...(debitLimit !== undefined && { debitLimit: debitLimit.toString() }),
      ...(receiveLimit !== undefined && { receiveLimit: receiveLimit.toString() }),
      ...(expiresAt !== undefined && { expiresAt: expiresAt.getTime() }),
    },
    shown: {
      whom: request.client.id,
      ...(account !== undefined && { accountName: account.publicName }),
      ...(account !== undefined &&
        most !== undefined && { amount: { value: most.toString(), assetCode: account.assetCode, assetScale: account.assetScale } }),
    },
  };
}
