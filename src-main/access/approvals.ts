import { eq } from 'drizzle-orm';
import { MAX_STATED } from '../../src-shared/amounts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { approvalRequest, payingAccount } from './approval-requests.ts';
import { appendGrantEvent, findGrant, type Grant, isUnlimited, payingRight, stateAt } from './grant-rows.ts';
import { sameSecret } from './secrets.ts';
import { grants } from './tables.ts';
import type { OwnWalletAddress, WalletAddressLookup } from './wallet-address-lookup.ts';
import type { WireAccess } from './wire-access.ts';

/** The operator's consent, as it came from the console. */
export interface Approval {
  id: string;
  /** The four digits on the page in front of the person who asked. */
  code: string;
  /** Of the request as it was shown. */
  shownHash: string;
  /** The most that may be debited, in smallest units of the account; only ever lowers what was asked for. */
  debitLimit?: bigint | undefined;
  /** The account's name, typed, to allow any amount where none was asked for. */
  unlimitedForAccountNamed?: string | undefined;
}

export type ApprovalProblem =
  | { code: 'not_found' | 'not_waiting' | 'changed' | 'limit_needed' }
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
    return await this.#database.write(async (tx): Promise<Result<void, ApprovalProblem>> => {
      const grant = await findGrant(tx, approval.id);
      if (grant === undefined) return refuse({ code: 'not_found' });
      if (stateAt(grant, now) !== 'pending' || grant.code === null) return refuse({ code: 'not_waiting' });
      if (!sameSecret(approvalRequest(grant, account, now).shownHash, approval.shownHash)) return refuse({ code: 'changed' });
      const granted = grantedAccess(grant, account, approval);
      if (granted === undefined) return refuse({ code: 'limit_needed' });
      if (!sameSecret(grant.code, approval.code)) return refuse(await countWrongCode(tx, grant, now));
      await tx
        .update(grants)
        .set({ state: 'approved', granted, decidedAt: now, lapsesAt: now + COLLECT_MS })
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

/** What the client gets, or undefined when it asked for any amount and the operator has not said that it may. */
function grantedAccess({ requested }: Grant, account: OwnWalletAddress | undefined, approval: Approval): WireAccess[] | undefined {
  const paying = payingRight(requested);
  if (paying === undefined) return requested;
  const { debitLimit, unlimitedForAccountNamed } = approval;
  if (debitLimit === undefined) {
    const allowed = !isUnlimited(paying) || (account !== undefined && unlimitedForAccountNamed?.trim() === account.name);
    return allowed ? requested : undefined;
  }
  if (account === undefined || debitLimit > MAX_STATED) return undefined;
  const asked = paying.limits?.debitAmount;
  const value = asked !== undefined && BigInt(asked.value) < debitLimit ? asked.value : debitLimit.toString();
  const debitAmount = { value, assetCode: account.assetCode, assetScale: account.assetScale };
  return requested.map((item) => (item === paying ? { ...paying, limits: { ...paying.limits, debitAmount } } : item));
}

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
