import { eq } from 'drizzle-orm';
import { MAX_STATED } from '../../../src-shared/amounts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { OwnWalletAddress, WalletAddressLookup } from '../../wallet-addresses/wallet-address-lookup.ts';
import { appendGrantEvent, findGrant, type Grant, isUnlimited, payingRight, stateAt } from '../grant-rows.ts';
import type { WireAccess } from '../rights/wire-access.ts';
import { sameSecret } from '../secrets.ts';
import { grants } from '../tables.ts';
import { approvalRequest, payingAccount } from './approval-requests.ts';

/** The operator's consent, as it came from the console. */
export interface Approval {
  id: string;
  /** The four digits on the page in front of the person who asked. */
  code: string;
  /** Of the request as it was shown. */
  shownHash: string;
  /** The most that may be debited, in smallest units of the account; only ever lowers what was asked for. */
  debitLimit?: bigint | undefined;
  /** The most that may arrive, in smallest units of the asset asked for; only ever lowers what was asked for. */
  receiveLimit?: bigint | undefined;
  /** The account's name, typed, to allow any amount where none was asked for. */
  unlimitedForAccountNamed?: string | undefined;
  /** When everything it allows ends; undefined for never. */
  expiresAt?: Date | undefined;
}

export type ApprovalProblem =
  | { code: 'not_found' | 'not_waiting' | 'changed' | 'limit_needed' | 'nothing_to_limit' | 'expiry_past' }
  | { code: 'wrong_code'; attemptsLeft: number };

/** How many wrong codes end a request (decisions, "approval"). */
const MAX_WRONG_CODES = 5;
/** How long a client has to fetch what was approved. */
const COLLECT_MS = 10 * 60_000;

/** The operator's decisions on requests, made on what is stored. */
export class Approvals {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #wallets: WalletAddressLookup;

  constructor(parts: { database: Database; clock: Clock; wallets: WalletAddressLookup }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#wallets = parts.wallets;
  }

  async approve(approval: Approval): Promise<Result<void, ApprovalProblem>> {
    const known = await findGrant(this.#database.read, approval.id);
    const account = known && (await payingAccount(this.#wallets, known));
    const now = this.#clock.now();
    const expiresAt = approval.expiresAt?.getTime() ?? null;
    return await this.#database.write(async (tx): Promise<Result<void, ApprovalProblem>> => {
      const grant = await findGrant(tx, approval.id);
      if (grant === undefined) return refuse({ code: 'not_found' });
      if (stateAt(grant, now) !== 'pending' || grant.code === null) return refuse({ code: 'not_waiting' });
      if (!sameSecret(approvalRequest(grant, account, now).shownHash, approval.shownHash)) return refuse({ code: 'changed' });
      const granted = grantedAccess(grant, account, approval);
      if (!granted.ok) return refuse({ code: granted.error });
      if (expiresAt !== null && expiresAt <= now) return refuse({ code: 'expiry_past' });
      if (!sameSecret(grant.code, approval.code)) return refuse(await countWrongCode(tx, grant, now));
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
  }

  async deny(id: string): Promise<Result<void, 'not_found' | 'not_waiting'>> {
    const now = this.#clock.now();
    return await this.#database.write(async (tx): Promise<Result<void, 'not_found' | 'not_waiting'>> => {
      const grant = await findGrant(tx, id);
      if (grant === undefined) return refuse('not_found');
      if (stateAt(grant, now) !== 'pending') return refuse('not_waiting');
      await denyIn(tx, grant, 'operator', now);
      return ok(undefined);
    });
  }
}

type LimitProblem = 'limit_needed' | 'nothing_to_limit';

/** What the client gets: what it asked for, with lower limits where the operator has set them, never with higher ones. */
function grantedAccess(
  { requested }: Grant,
  account: OwnWalletAddress | undefined,
  approval: Approval,
): Result<WireAccess[], LimitProblem> {
  const { debitLimit, receiveLimit, unlimitedForAccountNamed } = approval;
  const paying = payingRight(requested);
  if (paying === undefined) return debitLimit === undefined && receiveLimit === undefined ? ok(requested) : refuse('nothing_to_limit');
  const limits = { ...paying.limits };
  if (debitLimit !== undefined) {
    if (account === undefined || debitLimit > MAX_STATED) return refuse('limit_needed');
    const value = lower(limits.debitAmount?.value, debitLimit);
    limits.debitAmount = { value, assetCode: account.assetCode, assetScale: account.assetScale };
  } else if (isUnlimited(paying) && (account === undefined || unlimitedForAccountNamed?.trim() !== account.name)) {
    return refuse('limit_needed');
  }
  if (receiveLimit !== undefined) {
    // In which asset money arrives is known only when the client has asked for such a limit itself.
    if (limits.receiveAmount === undefined) return refuse('nothing_to_limit');
    limits.receiveAmount = { ...limits.receiveAmount, value: lower(limits.receiveAmount.value, receiveLimit) };
  }
  const unchanged = debitLimit === undefined && receiveLimit === undefined;
  return ok(unchanged ? requested : requested.map((item) => (item === paying ? { ...paying, limits } : item)));
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
