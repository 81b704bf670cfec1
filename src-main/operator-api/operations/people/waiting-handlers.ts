import type { WaitingAct } from '../../../../src-shared/operator-contract/console/second-person.ts';
import { isRole } from '../../../../src-shared/people/roles.ts';
import { z } from '../../../../src-shared/zod.ts';
import type { Doer } from '../../../journal/doer.ts';
import type { IncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { allowanceOf, overLimit } from '../../../payments/refunds/refund-limits.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { failPoint } from '../../../platform/fail-points.ts';
import { newId } from '../../../platform/ids.ts';
import type { OperatorContext } from '../../context.ts';
import { callerOf } from '../../people/calling-person.ts';
import { doOrWait } from '../../second-person/do-or-wait.ts';
import { CONFIRMING, hasSecond, listSecondPersonLimits, NeedsSecond, setLimitIn, type WantedLimit } from '../../second-person/limits.ts';
import { CannotDecide, decideIn, openActs, touchedByAct, type WaitingRow } from '../../second-person/waiting-acts.ts';
import { operations } from '../guarded-operations.ts';
import { payingCode } from '../paying-handlers.ts';
import { claimCode, decisionCode } from '../payments/claims-handlers.ts';
import { refundCode } from '../payments/refunds-handlers.ts';

const os = operations.waiting;

export const waitingHandlers = os.router({
  list: os.list.handler(async ({ context }) => {
    const by = await callerOf(context);
    const acts = await openActs(context.database.read, context.clock.now());
    // A cashier hears of no payments of others.
    const heard = by.role === 'cashier' ? acts.filter(({ byId }) => byId === by.id) : acts;
    return { items: heard.map((act) => shownAct(act, by)) };
  }),
  confirm: os.confirm.handler(async ({ context, input: { id, hash }, errors }) => {
    const code = await orCode(() => confirm(context, id, hash));
    if (code === undefined) return { done: true as const };
    throw isCannot(code) ? errors[code]() : errors.CANNOT_BE_DONE({ data: { code } });
  }),
  refuse: os.refuse.handler(async ({ context, input: { id }, errors }) => {
    const code = await orCode(() => decide(context, id, 'refused'));
    if (code === undefined) return { refused: true as const };
    throw code === 'SAME_PERSON' || code === 'NEEDS_A_PERSON' ? errors[code]() : errors.NOT_WAITING();
  }),
  withdraw: os.withdraw.handler(async ({ context, input: { id }, errors }) => {
    if ((await orCode(() => decide(context, id, 'withdrawn'))) !== undefined) throw errors.NOT_WAITING();
    return { withdrawn: true as const };
  }),
});

const CANNOT = ['NOT_WAITING', 'SAME_PERSON', 'NEEDS_A_PERSON', 'CHANGED', 'FIRST_GONE', 'NOT_ALLOWED_YOURSELF', 'PRICE_CHANGED'] as const;
const isCannot = (code: string): code is (typeof CANNOT)[number] => CANNOT.some((one) => one === code);

/** The code of the reason why an act was not done. It is undefined when it was done. */
async function orCode(work: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CannotDecide) return error.code;
    throw error;
  }
}

async function decide(context: OperatorContext, id: string, state: 'refused' | 'withdrawn'): Promise<undefined> {
  const by = await callerOf(context);
  const at = context.clock.now();
  await context.database.write(async (tx) => {
    await decideIn(tx, { id, state, by, at });
  });
}

/** The decision, which is made once. It is part of the write that does the act. */
type Decide = (tx: Tx) => ReturnType<typeof decideIn>;

/**
 * Does what waits, in one write with the decision.
 * @returns the code of why it cannot be done; undefined when it was done now.
 * @throws CannotDecide
 */
async function confirm(context: OperatorContext, id: string, shownHash: string): Promise<string | undefined> {
  const by = await callerOf(context);
  const act = (await openActs(context.database.read, context.clock.now())).find((one) => one.id === id);
  if (act === undefined) throw new CannotDecide('NOT_WAITING');
  let isDecided = false;
  const decideNow: Decide = async (tx) => {
    const decided = await decideIn(tx, { id, state: 'confirmed', by, at: context.clock.now(), shownHash });
    isDecided = true;
    return decided;
  };
  // What can be told beforehand asks no other wallet. The write asks all of it again.
  if (act.byId === by.id) throw new CannotDecide('SAME_PERSON');
  if (by.kind !== 'person') throw new CannotDecide('NEEDS_A_PERSON');
  if (act.hash !== shownHash) throw new CannotDecide('CHANGED');
  const code = await RUN[act.operation](context, act, { decideNow, by });
  failPoint('waiting-step');
  if (code !== undefined) return code;
  // The same request was carried out by somebody else at this moment.
  if (!isDecided) throw new CannotDecide('NOT_WAITING');
  return undefined;
}

type Run = (context: OperatorContext, act: WaitingRow, how: { decideNow: Decide; by: Doer }) => Promise<string | undefined>;

const Payment = z.object({ accountId: z.string(), payee: z.string(), debit: z.string(), receive: z.string(), note: z.string().optional() });
const Refund = z.object({
  ...{ incomingPaymentId: z.string(), amount: z.string(), payer: z.string() },
  ...{ reason: z.string().optional(), receive: z.string().optional() },
});
const Claim = z.object({ incomingPaymentId: z.string(), amount: z.string(), reason: z.string().optional() });
const Decision = z.object({ claimId: z.string() });
const Approval = z.object({
  ...{ id: z.string(), code: z.string(), shownHash: z.string(), unlimitedForAccountNamed: z.string().optional() },
  ...{ debitLimit: z.string().optional(), receiveLimit: z.string().optional(), expiresAt: z.number().optional() },
});
const Again = z.object({ id: z.string() });
const Setting = z.object({
  ...{ what: z.enum(['money', 'approvals']), assetCode: z.string(), assetScale: z.number(), above: z.string().nullable() },
});

const RUN: Record<WaitingRow['operation'], Run> = {
  'payments.pay': async (context, act, { decideNow }) => {
    const { accountId, payee, debit, receive, note } = Payment.parse(JSON.parse(act.input));
    const from = await context.walletAddresses.byId(accountId);
    if (from === undefined) return 'NOT_FOUND';
    // The price that was shown has ended by now. Another one must not cost more, and the same must arrive.
    const quote = await context.operatorPayments.quote({ requestId: newId(), from, payee, deliver: BigInt(receive), note });
    if (!quote.ok) return payingCode(quote.error.code);
    if (quote.value.debitAmount > BigInt(debit) || quote.value.receiveAmount !== BigInt(receive)) throw new CannotDecide('PRICE_CHANGED');
    const paid = await context.operatorPayments.pay({
      ...{ requestId: act.id, from, quoteId: quote.value.id, note, touches: [touchedByAct(act.id)] },
      inSameWrite: async (tx) => {
        await decideNow(tx);
      },
    });
    return paid.ok ? undefined : payingCode(paid.error.code);
  },
  'refunds.create': async (context, act, { decideNow, by }) => {
    const { amount, payer, reason, incomingPaymentId, receive } = Refund.parse(JSON.parse(act.input));
    const first = { id: act.byId, role: await roleNow(context, act) };
    const wanted = { id: act.id, incomingPaymentId, amount: BigInt(amount), payer, reason, by: first };
    const inSameWrite = confirmRefund(context, { decideNow, by, first, amount: wanted.amount });
    const exactly = receive === undefined ? undefined : BigInt(receive);
    const made = await context.refunds.create({ ...wanted, receive: exactly, inSameWrite });
    if (!made.ok && made.error === 'price_changed') throw new CannotDecide('PRICE_CHANGED');
    return made.ok ? undefined : refundCode(made.error);
  },
  'claims.make': async (context, act, { decideNow, by }) => {
    const { amount, reason, incomingPaymentId } = Claim.parse(JSON.parse(act.input));
    const first = { id: act.byId, role: await roleNow(context, act) };
    const wanted = { id: act.id, incomingPaymentId, amount: BigInt(amount), reason, by: first };
    const inSameWrite = confirmRefund(context, { decideNow, by, first, amount: wanted.amount });
    const made = await context.claims.make({ ...wanted, inSameWrite });
    return made.ok ? undefined : claimCode(made.error);
  },
  'claims.refund': async (context, act, { decideNow }) => {
    const { claimId } = Decision.parse(JSON.parse(act.input));
    const done = await context.claims.refund(claimId, act.id, async (tx) => {
      await decideNow(tx);
    });
    return done.ok ? undefined : decisionCode(done.error);
  },
  'approvals.approve': async (context, act, { decideNow }) => {
    const { debitLimit, receiveLimit, expiresAt, ...texts } = Approval.parse(JSON.parse(act.input));
    const decided = await context.access.approvals.approve(
      {
        ...texts,
        debitLimit: debitLimit === undefined ? undefined : BigInt(debitLimit),
        receiveLimit: receiveLimit === undefined ? undefined : BigInt(receiveLimit),
        expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
      },
      async (tx) => {
        await decideNow(tx);
      },
    );
    return decided.ok ? undefined : decided.error.code.toUpperCase();
  },
  'apps.allowAgain': async (context, act, { decideNow }) => {
    const { id } = Again.parse(JSON.parse(act.input));
    const allowed = await context.access.views.allowAgain(id, async (tx) => {
      await decideNow(tx);
    });
    return allowed ? undefined : 'NOT_FROZEN';
  },
  'secondPerson.set': async (context, act, { decideNow }) => {
    const { above, ...wanted } = Setting.parse(JSON.parse(act.input));
    const at = context.clock.now();
    await context.database.write(async (tx) => {
      await decideNow(tx);
      await setLimitIn(tx, { ...wanted, above: above === null ? null : BigInt(above) }, at, async () => undefined);
    });
    return undefined;
  },
};

/** Decides, in the write that gives money back. The person who confirms must be one who may do so alone. */
const confirmRefund =
  (
    context: OperatorContext,
    { decideNow, by, first, amount }: { decideNow: Decide; by: Doer; first: Pick<Doer, 'id' | 'role'>; amount: bigint },
  ) =>
  async (tx: Tx, payment: IncomingPayment): Promise<void> => {
    const decided = await decideNow(tx);
    if (decided.first.role !== first.role) throw new CannotDecide('FIRST_GONE');
    const own = await allowanceOf(tx, by, payment, context.clock.now());
    if (own.kind === 'none' || overLimit(own, amount) !== undefined) throw new CannotDecide('NOT_ALLOWED_YOURSELF');
  };

/** The role that the first person has now. The write of the decision looks again. */
async function roleNow({ people }: OperatorContext, { byId, byRole }: WaitingRow) {
  const role = (await people.list()).find(({ id }) => id === byId)?.role;
  return role !== undefined && isRole(role) ? role : byRole;
}

function shownAct({ shown, ...act }: WaitingRow, by: Doer): WaitingAct {
  const amountOf = (amount: NonNullable<typeof shown.amount>) => ({ ...amount, value: BigInt(amount.value) });
  const isYours = act.byId === by.id;
  return {
    ...{ id: act.id, operation: act.operation, subject: act.subject, hash: act.hash },
    by: { kind: act.byKind, id: act.byId, name: act.byName, role: act.byRole },
    accountName: shown.accountName ?? null,
    amount: shown.amount === undefined ? null : amountOf(shown.amount),
    receiveAmount: shown.receiveAmount === undefined ? null : amountOf(shown.receiveAmount),
    ...{ whom: shown.whom ?? null, note: shown.note ?? null, what: shown.what ?? null },
    ...{ createdAt: new Date(act.createdAt), expiresAt: new Date(act.expiresAt) },
    ...{ isYours, mayDecide: !isYours && by.kind === 'person' && CONFIRMING.includes(by.role) },
  };
}

const setting = operations.secondPerson;

export const secondPersonHandlers = setting.router({
  get: setting.get.handler(async ({ context }) => {
    const { read } = context.database;
    const currencies = await context.walletAddresses.assets();
    const { id } = await callerOf(context);
    return { limits: await listSecondPersonLimits(read), currencies, hasSecond: await hasSecond(read, id) };
  }),
  set: setting.set.handler(async ({ context, input, errors }) => {
    const by = await callerOf(context);
    const isThere = await doOrWait(
      context,
      errors,
      () => setAlone(context, input, by),
      async () => ({
        ...{ id: newId(), operation: 'secondPerson.set', subject: `${input.what} ${input.assetCode} ${input.assetScale}` },
        input: { ...input, above: input.above?.toString() ?? null },
        shown: { what: input.what, whom: input.assetCode, ...amountShown(input) },
      }),
    );
    if (!isThere) throw errors.NO_SECOND_PERSON();
    return { set: true as const };
  }),
});

const amountShown = ({ above, assetCode, assetScale }: WantedLimit) =>
  above === null ? {} : { amount: { value: above.toString(), assetCode, assetScale } };

/**
 * Sets what raises the protection.
 * @returns false when nobody else could confirm.
 * @throws NeedsSecond when it lowers the protection.
 */
async function setAlone({ database, clock }: OperatorContext, wanted: WantedLimit, by: Doer): Promise<boolean> {
  const at = clock.now();
  return await database.write(async (tx) => {
    if (wanted.above !== null && !(await hasSecond(tx, by.id))) return false;
    await setLimitIn(tx, wanted, at, async () => {
      throw new NeedsSecond();
    });
    return true;
  });
}
