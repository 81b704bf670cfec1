import { eq } from 'drizzle-orm';
import { appendEvent } from '../../journal/events.ts';
import { refuseDamaged } from '../../ledger/audit/damages.ts';
import { accountId, spendableIn } from '../../ledger/ledger.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment, type IncomingPayment } from '../incoming/incoming-payments.ts';
import { provenPayers } from './payers.ts';
import { allowanceOf, type NotYours, type OverLimit, overLimit, type Refunder, shopToday } from './refund-limits.ts';
import { refundsOf } from './refund-rows.ts';
import { refundableOf } from './refund-rule.ts';
import { refunds } from './tables.ts';

/** A refund that the operator asks for. */
interface NewRefund {
  /** Made once per intention: the same id again answers with the refund that it made. */
  id: string;
  incomingPaymentId: string;
  /** The URL of the payer's wallet address. Without it the payment has one proven payer, who is meant. */
  payer?: string | undefined;
  /** The most that leaves the account, fees included, in its smallest units; above 0. */
  amount: bigint;
  /** The payer reads it. */
  reason?: string | undefined;
  /** Who asks. Their limit counts. */
  by: Refunder;
  /** What must be true together with the refund. What it throws undoes the refund. */
  inSameWrite?: ((tx: Tx, payment: IncomingPayment) => Promise<void>) | undefined;
}

/**
 * Why there is no refund, unless it is beyond a limit. Nothing is stored then.
 * - `not_found`: there is no such incoming payment.
 * - `payer_unknown`: it is not proven who paid, or not by that wallet address, or several did and none is named.
 * - `too_much`: more than came from that payer, less the most that other refunds can have given back.
 * - `insufficient_balance`: the account has less than that to spend.
 * - `id_taken`: the id is that of another refund.
 * - `no_limit_set`, `not_todays_sale`: see {@link NotYours}.
 */
export type RefundProblem = NotYours | 'not_found' | 'payer_unknown' | 'too_much' | 'insufficient_balance' | 'id_taken';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: WalletAddresses;
  /** Wakes the worker. It is called after the refund is durable. */
  onCreated: () => void;
}

/**
 * The refunds of received payments. Open Payments has none, so a refund is an outgoing payment to a new incoming
 * payment at the payer's wallet.
 */
export class Refunds {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Reserves a refund. The worker carries it out. The same write looks at all other refunds of the payment, and no
   * other write runs beside it, so that all of them together never give back more than was received
   * (decisions.md#D-232).
   * @throws BooksDamaged when the books of the account are damaged.
   */
  async create(wanted: NewRefund): Promise<Result<void, RefundProblem | OverLimit>> {
    const { database, clock, walletAddresses, onCreated } = this.#parts;
    const own = wanted.payer === undefined ? undefined : await walletAddresses.byUrl(wanted.payer);
    const payer = own?.id ?? wanted.payer;
    const at = clock.now();
    const made = await database.write((tx) => reserveIn(tx, { ...wanted, payer }, at));
    failPoint('refund-step');
    if (made.ok) onCreated();
    return made;
  }
}

async function reserveIn(
  tx: Tx,
  { id, incomingPaymentId, amount, reason, by, inSameWrite, ...wanted }: NewRefund,
  at: number,
): Promise<Result<void, RefundProblem | OverLimit>> {
  const [same] = await tx.select().from(refunds).where(eq(refunds.id, id));
  if (same !== undefined) {
    const isSame = same.incomingPaymentId === incomingPaymentId && same.amount === amount && same.payer === (wanted.payer ?? same.payer);
    return isSame ? ok(undefined) : refuse('id_taken');
  }
  const payment = await findIncomingPayment(tx, incomingPaymentId);
  if (payment === undefined) return refuse('not_found');
  const allowance = await allowanceOf(tx, by, payment, at);
  if (allowance.kind === 'none') return refuse(allowance.why);
  const proven = (await provenPayers(tx, [incomingPaymentId])).filter(({ payer }) => payer === (wanted.payer ?? payer));
  const [paid, ...others] = proven;
  if (paid === undefined || others.length > 0) return refuse('payer_unknown');
  const earlier = (await refundsOf(tx, [incomingPaymentId])).filter(({ payer }) => payer === paid.payer);
  if (amount > refundableOf(paid.amount, earlier)) return refuse('too_much');
  const over = overLimit(allowance, amount);
  if (over !== undefined) return refuse(over);
  const account = accountId('customer', payment.walletAddressId);
  await refuseDamaged(tx, [account]);
  if (amount > ((await spendableIn(tx, account)) ?? 0n)) return refuse('insufficient_balance');
  await inSameWrite?.(tx, payment);
  const state = { state: 'pending', failure: null, outgoingPaymentId: null, tries: 0, dueAt: at, holder: null } as const;
  await tx.insert(refunds).values({
    ...{ id, incomingPaymentId, payer: paid.payer, amount, reason: reason || null },
    ...{ byId: by.id, byRole: by.role, shopDay: (await shopToday(tx, at)).day },
    ...{ ...state, createdAt: at, updatedAt: at },
  });
  await appendEvent(tx, {
    type: 'incoming_payment.refunding',
    subject: incomingPaymentId,
    walletAddressId: payment.walletAddressId,
    body: { amount: amount.toString(), refund: id },
    at,
  });
  return ok(undefined);
}
