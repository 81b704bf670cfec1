import type { NewPairing, PairedTill } from '../../../../src-shared/operator-contract/console/tills.ts';
import type { OperatorContext } from '../../context.ts';
import { callerOf } from '../../people/calling-person.ts';
import type { TillRow } from '../../tills/paired-device.ts';
import type { Pairing } from '../../tills/tills.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.tills;

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at));

async function shown({ walletAddresses, clock }: OperatorContext, till: TillRow): Promise<PairedTill> {
  const { id, name, accountId, state, secretHash, userAgent, madeBy, createdAt, lastUsedAt } = till;
  const account = accountId === null ? undefined : await walletAddresses.byId(accountId);
  const linkWaits = till.pairingEndsAt !== null && till.pairingEndsAt > clock.now();
  const isPaired = secretHash !== null;
  return {
    ...{ id, name, madeBy, createdAt: new Date(createdAt) },
    account: account === undefined ? null : { id: account.id, publicName: account.publicName },
    state: state === 'paused' ? 'paused' : isPaired ? 'active' : 'waiting',
    linkEndsAt: linkWaits ? dateOf(till.pairingEndsAt) : null,
    userAgent: isPaired ? userAgent : null,
    lastUsedAt: isPaired ? dateOf(lastUsedAt) : null,
  };
}

/** The secret is in the fragment, which browsers send to no server. */
const told = async (context: OperatorContext, { till, secret, endsAt }: Pairing): Promise<NewPairing> => ({
  till: await shown(context, till),
  link: `${context.urls.till}#pair=${secret}`,
  endsAt: new Date(endsAt),
});

const isThere = async ({ walletAddresses }: OperatorContext, accountId: string | null): Promise<boolean> =>
  accountId === null || (await walletAddresses.byId(accountId)) !== undefined;

export const tillsHandlers = os.router({
  list: os.list.handler(async ({ context }) => {
    const rows = await context.tills.list();
    return { tills: await Promise.all(rows.map((row) => shown(context, row))) };
  }),
  add: os.add.handler(async ({ context, input, errors }) => {
    if (!(await isThere(context, input.accountId))) throw errors.ACCOUNT_GONE();
    const added = await context.tills.add(input, (await callerOf(context)).name);
    if (!added.ok) throw added.error === 'too_many' ? errors.TOO_MANY_TILLS() : errors.TILL_NAME_TAKEN();
    return await told(context, added.value);
  }),
  change: os.change.handler(async ({ context, input: { id, ...wanted }, errors }) => {
    if (!(await isThere(context, wanted.accountId))) throw errors.ACCOUNT_GONE();
    const changed = await context.tills.change(id, wanted);
    if (!changed.ok) throw changed.error === 'not_found' ? errors.NO_SUCH_TILL() : errors.TILL_NAME_TAKEN();
    return await shown(context, changed.value);
  }),
  pause: os.pause.handler(async ({ context, input, errors }) => {
    const till = await context.tills.pause(input.id);
    if (till === undefined) throw errors.NO_SUCH_TILL();
    return await shown(context, till);
  }),
  goOn: os.goOn.handler(async ({ context, input, errors }) => {
    const till = await context.tills.goOn(input.id);
    if (till === undefined) throw errors.NO_SUCH_TILL();
    return await shown(context, till);
  }),
  pairAnew: os.pairAnew.handler(async ({ context, input, errors }) => {
    const pairing = await context.tills.pairAnew(input.id);
    if (pairing === undefined) throw errors.NO_SUCH_TILL();
    return await told(context, pairing);
  }),
  remove: os.remove.handler(async ({ context, input, errors }) => {
    if (!(await context.tills.remove(input.id))) throw errors.NO_SUCH_TILL();
    return { removed: true as const };
  }),
});
