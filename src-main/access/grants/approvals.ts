import { eq } from 'drizzle-orm';
import { MAX_STATED, sameAsset } from '../../../src-shared/amounts.ts';
import { beginsTooOften, spendsUnbounded } from '../../../src-shared/spending-right.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { appendGrantEvent, findGrant, type Grant, payingRight, stateAt } from '../grant-rows.ts';
import type { WireAccess, WireAmount } from '../rights/wire-access.ts';
import { sameSecret } from '../secrets.ts';
import { grants } from '../tables.ts';
import { approvalRequest, payingAccount, shownAccess } from './approval-requests.ts';
import { COLLECT_MS } from './lapses.ts';

/** The operator's consent, as the console sent it. */
interface Approval {
  id: string;
  /** The four digits on the page in front of the person who asked. */
  code: string;
  /** The hash of the grant request as the operator saw it. */
  shownHash: string;
  /** The most that may be debited, in smallest units of the account. It only lowers what the client asked for. */
  debitLimit?: bigint | undefined;
  /** The most that may arrive, in smallest units of the asset asked for. It only lowers what the client asked for. */
  receiveLimit?: bigint | undefined;
  /** The name of the account, which the operator types where no limit bounds what leaves it. */
  unlimitedForAccountNamed?: string | undefined;
  /** The end of the grant. It is undefined when the grant has no end. */
  expiresAt?: Date | undefined;
}

/** The spending that a grant allows from an account. */
export interface GrantedSpending {
  account: WalletAddress;
  /** The most that may be debited, in smallest units of the account; null for anything. */
  debitLimit: bigint | null;
}

export type ApprovalProblem =
  | { code: 'not_found' | 'not_waiting' | 'changed' | 'limit_needed' | 'nothing_to_limit' | 'expiry_past' }
  | { code: 'wrong_code'; attemptsLeft: number };

/** The number of wrong codes that ends a request (decisions.md#D-33). */
const MAX_WRONG_CODES = 5;

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: Pick<WalletAddresses, 'byUrl' | 'urlOf'>;
  /** The approvals call it with every client to which the operator has allowed something. */
  onApproved?: (clientId: string) => void;
}

/** Carries out the operator's decisions on grant requests. It decides on the stored request. */
export class Approvals {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Approves a grant request.
   * @param inSameWrite is called before anything is stored, with what may leave an account by the grant. An error that
   * it throws undoes the approval.
   */
  async approve(
    approval: Approval,
    inSameWrite?: (tx: Tx, spending: GrantedSpending | undefined) => Promise<void>,
  ): Promise<Result<void, ApprovalProblem>> {
    const known = await findGrant(this.#parts.database.read, approval.id);
    const account = known && (await payingAccount(this.#parts.walletAddresses, known));
    const now = this.#parts.clock.now();
    const expiresAt = approval.expiresAt?.getTime() ?? null;
    const decided = await this.#parts.database.write(async (tx): Promise<Result<void, ApprovalProblem>> => {
      const grant = await findGrant(tx, approval.id);
      if (grant === undefined) return refuse({ code: 'not_found' });
      if (stateAt(grant, now) !== 'pending' || grant.code === null) return refuse({ code: 'not_waiting' });
      if (!sameSecret(approvalRequest(grant, account, now).shownHash, approval.shownHash)) return refuse({ code: 'changed' });
      const granted = grantedAccess(grant, account, approval);
      if (!granted.ok) return refuse({ code: granted.error });
      if (expiresAt !== null && expiresAt <= now) return refuse({ code: 'expiry_past' });
      if (!sameSecret(grant.code, approval.code)) return refuse(await countWrongCode(tx, grant, now));
      await inSameWrite?.(tx, spendingOf(granted.value, account));
      await tx
        .update(grants)
        .set({
          state: 'approved',
          granted: granted.value,
          decidedAt: now,
          expiresAt,
          lapsesAt: Math.min(now + COLLECT_MS, expiresAt ?? Number.MAX_SAFE_INTEGER),
        })
        .where(eq(grants.id, grant.id));
      await appendGrantEvent(tx, 'grant.approved', grant, {}, now);
      return ok(undefined);
    });
    if (decided.ok && known !== undefined) this.#parts.onApproved?.(known.clientId);
    return decided;
  }

  async deny(id: string): Promise<Result<void, 'not_found' | 'not_waiting'>> {
    const now = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx): Promise<Result<void, 'not_found' | 'not_waiting'>> => {
      const grant = await findGrant(tx, id);
      if (grant === undefined) return refuse('not_found');
      if (stateAt(grant, now) !== 'pending') return refuse('not_waiting');
      await denyIn(tx, grant, 'operator', now);
      return ok(undefined);
    });
  }
}

/** The spending that a grant allows. It is undefined when no money may leave an account. */
export function spendingOf(granted: readonly WireAccess[], account: WalletAddress | undefined): GrantedSpending | undefined {
  const paying = payingRight(granted);
  if (paying === undefined || account === undefined) return undefined;
  const debit = paying.limits?.debitAmount;
  return { account, debitLimit: debit !== undefined && sameAsset(debit, account) ? BigInt(debit.value) : null };
}

type LimitProblem = 'limit_needed' | 'nothing_to_limit';
type PayingRight = NonNullable<ReturnType<typeof payingRight>>;

/**
 * The rights that the client gets: those it asked for, with lower limits where the operator has set them, never with
 * higher ones. A right that still bounds nothing needs the name of the account, typed by the operator
 * (decisions.md#D-30).
 */
function grantedAccess({ requested }: Grant, account: WalletAddress | undefined, approval: Approval): Result<WireAccess[], LimitProblem> {
  const { debitLimit, receiveLimit, unlimitedForAccountNamed } = approval;
  const paying = payingRight(requested);
  const isLowered = debitLimit !== undefined || receiveLimit !== undefined;
  if (paying === undefined) return isLowered ? refuse('nothing_to_limit') : ok(requested);
  const asked = debitLimit === undefined ? paying.limits : comparable(paying);
  const debit = debitLimitOf(asked, account, debitLimit);
  if (!debit.ok) return debit;
  const receive = receiveLimitOf(paying, approval);
  if (!receive.ok) return receive;
  const limits = { ...asked, ...debit.value, ...receive.value };
  const granted = isLowered ? requested.map((item) => (item === paying ? { ...paying, limits } : item)) : requested;
  const isNamed = account !== undefined && unlimitedForAccountNamed?.trim() === account.name;
  return isNamed || !spendsUnbounded(shownAccess(granted)) ? ok(granted) : refuse('limit_needed');
}

/** The limits that the operator's own debit amount may lower: all, unless they begin too often. */
function comparable({ limits }: PayingRight): PayingRight['limits'] {
  if (!beginsTooOften(limits?.interval ?? null)) return limits;
  return limits?.receiver === undefined ? {} : { receiver: limits.receiver };
}

/** The lower debit limit, in the asset of the account. */
function debitLimitOf(
  asked: PayingRight['limits'],
  account: WalletAddress | undefined,
  debitLimit: bigint | undefined,
): Result<{ debitAmount?: WireAmount }, LimitProblem> {
  if (debitLimit === undefined) return ok({});
  if (account === undefined || debitLimit > MAX_STATED) return refuse('limit_needed');
  const value = lower(asked?.debitAmount?.value, debitLimit);
  return ok({ debitAmount: { value, assetCode: account.assetCode, assetScale: account.assetScale } });
}

/**
 * The lower receive limit. The node knows the asset in which money arrives only when the client has asked for such a
 * limit itself.
 */
function receiveLimitOf({ limits }: PayingRight, { receiveLimit }: Approval): Result<{ receiveAmount?: WireAmount }, LimitProblem> {
  if (receiveLimit === undefined) return ok({});
  if (limits?.receiveAmount === undefined) return refuse('nothing_to_limit');
  return ok({ receiveAmount: { ...limits.receiveAmount, value: lower(limits.receiveAmount.value, receiveLimit) } });
}

const lower = (asked: string | undefined, limit: bigint): string =>
  asked !== undefined && BigInt(asked) < limit ? asked : limit.toString();

async function countWrongCode(tx: Tx, grant: Grant, now: number): Promise<ApprovalProblem> {
  const wrongCodes = grant.wrongCodes + 1;
  await tx.update(grants).set({ wrongCodes }).where(eq(grants.id, grant.id));
  await appendGrantEvent(tx, 'grant.code_mistyped', grant, {}, now);
  if (wrongCodes >= MAX_WRONG_CODES) await denyIn(tx, grant, 'wrong codes', now);
  return { code: 'wrong_code', attemptsLeft: MAX_WRONG_CODES - wrongCodes };
}

async function denyIn(tx: Tx, grant: Grant, by: string, now: number): Promise<void> {
  await tx.update(grants).set({ state: 'denied', decidedAt: now }).where(eq(grants.id, grant.id));
  await appendGrantEvent(tx, 'grant.denied', grant, { by }, now);
}
