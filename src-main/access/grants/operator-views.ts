import { and, asc, count, desc, eq, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import type { Budget, Grant as ShownGrant, Token } from '../../../src-shared/operator-contract/apps.ts';
import { parseInterval } from '../../../src-shared/repeating-interval.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { findGrant, type Grant, hasExpired, payingRight, stateAt } from '../grant-rows.ts';
import { windowAt } from '../rights/intervals.ts';
import { parseAccess } from '../rights/wire-access.ts';
import { accessTokens, grants, isActive, isFrozen, REVOCABLE, waits } from '../tables.ts';
import type { AccessToken } from '../tokens/access-tokens.ts';
import type { GrantUses } from '../tokens/grant-uses.ts';
import { allowAgain } from './after-copy.ts';
import { approvalRequest, type CostOf, clientIdentity, payingAccount, shownAccess, suggestedLimit } from './approval-requests.ts';
import { type GrantedSpending, spendingOf } from './approvals.ts';
import { revokeGrant } from './continuations.ts';
import { countFree, type GrantList, partOf } from './grant-list.ts';
import { spent } from './spending-limits.ts';

/**
 * Counts the outgoing payments of each of these grants. The payments wing provides it. Grants without payments may be
 * missing.
 */
type CountPayments = (grantIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * The most tokens of a grant that are listed, the newest ones: a client that rotates every ten minutes leaves
 * thousands.
 */
const TOKENS_LISTED = 10;

// A page of grants asks these for each of its grants.
const ofGrant = eq(accessTokens.grantId, sql.placeholder('grantId'));
const newestTokens = prepared((reader: Reader) =>
  reader
    .select()
    .from(accessTokens)
    .where(ofGrant)
    .orderBy(desc(accessTokens.createdAt), desc(accessTokens.id))
    .limit(TOKENS_LISTED)
    .prepare(),
);
const livingTokens = prepared((reader: Reader) => reader.select().from(accessTokens).where(and(ofGrant, isActive)).prepare());

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: Pick<WalletAddresses, 'byUrl' | 'urlOf'>;
  countPayments: CountPayments;
  /** What a payment costs by this node's own rates. */
  costOf: CostOf;
  /** Who is paid at a receiver, when the node knows. */
  payeeOf: (receiver: string) => Promise<NonNullable<ApprovalRequest['payee']> | undefined>;
  uses: Pick<GrantUses, 'lastOf'>;
}

/** Reads grant requests, grants and tokens for the operator, and ends grants. */
export class OperatorViews {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Grant requests whose page was opened and that wait for a decision, oldest first. */
  async listApprovals(): Promise<ApprovalRequest[]> {
    const now = this.#parts.clock.now();
    const rows = await this.#parts.database.read
      .select()
      .from(grants)
      .where(and(waits, eq(grants.state, 'pending'), gt(grants.lapsesAt, now), isNotNull(grants.openedAt)))
      .orderBy(asc(grants.createdAt), asc(grants.id));
    return await Promise.all(rows.map((grant) => this.#shownRequest(grant, now)));
  }

  /** A grant request that waits for a decision. */
  async getApproval(id: string): Promise<ApprovalRequest | undefined> {
    const now = this.#parts.clock.now();
    const grant = await findGrant(this.#parts.database.read, id);
    return grant === undefined || stateAt(grant, now) !== 'pending' ? undefined : await this.#shownRequest(grant, now);
  }

  /**
   * Grants of every client.
   * @param request its cursor is a `nextCursor` from before. Any other begins at the top.
   */
  async listGrants(request: GrantList): Promise<{ items: ShownGrant[]; nextCursor: string | null; free: number }> {
    const { readAside } = this.#parts.database;
    const { rows, nextCursor } = await partOf(readAside, request, this.#parts.clock.now());
    return { items: await this.#shown(rows), nextCursor, free: await countFree(readAside) };
  }

  async getGrant(id: string): Promise<ShownGrant | undefined> {
    const grant = await findGrant(this.#parts.database.read, id);
    const [shown] = grant === undefined ? [] : await this.#shown([grant]);
    return shown;
  }

  /** Ends a grant and its token. A grant that has ended before stays as it is. */
  async revokeGrant(id: string): Promise<Result<void, 'not_found'>> {
    const now = this.#parts.clock.now();
    const grant = await this.#parts.database.write((tx) => revokeGrant(tx, id, 'operator', now));
    return grant === undefined ? refuse('not_found') : ok(undefined);
  }

  /** Ends these grants in one write. @returns how many could be ended. */
  async revokeSeveral(ids: readonly string[]): Promise<number> {
    return await this.#revokeWhere(inArray(grants.id, [...ids]));
  }

  /** Ends every grant and grant request of a client in one write. @returns how many they were. */
  async revokeAllOf(clientId: string): Promise<number> {
    return await this.#revokeWhere(eq(grants.clientId, clientId));
  }

  async #revokeWhere(which: SQL): Promise<number> {
    const now = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const living = await tx
        .select({ id: grants.id })
        .from(grants)
        .where(and(which, inArray(grants.state, REVOCABLE)));
      for (const { id } of living) await revokeGrant(tx, id, 'operator', now);
      return living.length;
    });
  }

  /**
   * Lets a grant count again that was frozen because the books were put back from a copy.
   * @param inSameWrite is called with what may leave an account by the grant. An error that it throws undoes it.
   * @returns false when it is not frozen.
   */
  async allowAgain(id: string, inSameWrite?: (tx: Tx, spending: GrantedSpending | undefined) => Promise<void>): Promise<boolean> {
    const { database, walletAddresses, clock } = this.#parts;
    const known = await findGrant(database.read, id);
    const account = known && (await payingAccount(walletAddresses, known));
    const at = clock.now();
    return await database.write(async (tx) => {
      const grant = await allowAgain(tx, id, at);
      if (grant !== undefined) await inSameWrite?.(tx, spendingOf(grant.granted ?? [], account));
      return grant !== undefined;
    });
  }

  /** The grants that the operator had allowed and that are frozen, newest first, at most `limit`. */
  async listFrozen(limit: number): Promise<ShownGrant[]> {
    const rows = await this.#parts.database.read
      .select()
      .from(grants)
      .where(isFrozen)
      .orderBy(desc(grants.createdAt), desc(grants.id))
      .limit(limit);
    return await this.#shown(rows);
  }

  /** How many grants that the operator had allowed are frozen. */
  async countFrozen(): Promise<number> {
    const [row] = await this.#parts.database.readAside.select({ number: count() }).from(grants).where(isFrozen);
    return Number(row?.number ?? 0);
  }

  async #shownRequest(grant: Grant, now: number): Promise<ApprovalRequest> {
    const account = await payingAccount(this.#parts.walletAddresses, grant);
    const receiver = payingRight(grant.requested)?.limits?.receiver;
    return {
      ...approvalRequest(grant, account, now),
      suggestedLimit: await suggestedLimit(grant, account, this.#parts.costOf),
      payee: (receiver === undefined ? undefined : await this.#parts.payeeOf(receiver)) ?? null,
    };
  }

  async #shown(rows: readonly Grant[]): Promise<ShownGrant[]> {
    if (rows.length === 0) return [];
    const now = this.#parts.clock.now();
    const ids = rows.map(({ id }) => id);
    const payments = await this.#parts.countPayments(ids);
    return await Promise.all(
      rows.map(async (grant) => ({
        id: grant.id,
        client: clientIdentity(grant),
        state: shownState(grant, now),
        access: shownAccess(grant.granted ?? grant.requested),
        asked: shownAccess(grant.requested),
        budgets: await this.#budgets(grant, now),
        tokens: (await this.#tokensOf(grant.id)).map((token) => shownToken(token, now)),
        interactive: grant.interactive,
        payments: payments.get(grant.id) ?? 0,
        createdAt: new Date(grant.createdAt),
        decidedAt: dateOf(grant.decidedAt),
        expiresAt: dateOf(grant.expiresAt),
        lastUsedAt: dateOf(this.#parts.uses.lastOf(grant)),
      })),
    );
  }

  /** The living token first, then the others, newest first. */
  async #tokensOf(grantId: string): Promise<AccessToken[]> {
    const newest = await newestTokens(this.#parts.database.read).execute({ grantId });
    const living = await livingTokens(this.#parts.database.read).execute({ grantId });
    return [...living, ...newest.filter(({ id }) => id !== living[0]?.id)];
  }

  async #budgets(grant: Grant, now: number): Promise<Budget[]> {
    const paying = payingRight(grant.granted ?? []);
    const [right] = paying === undefined ? [] : parseAccess([paying]);
    const limits = right?.limits;
    if (limits === undefined) return [];
    const interval = limits.interval === undefined ? undefined : parseInterval(limits.interval);
    const window = interval && windowAt(interval, now);
    const used = await spent(this.#parts.database.read, { id: grant.id, limits }, now);
    const dates = { windowStart: window ? new Date(window.start) : null, windowEnd: window ? new Date(window.end) : null };
    return (['debit', 'receive'] as const).flatMap((kind) => {
      const limit = kind === 'debit' ? limits.debitAmount : limits.receiveAmount;
      return limit === undefined ? [] : [{ kind, limit, spent: used[kind] ?? { ...limit, value: 0n }, ...dates }];
    });
  }
}

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at));

function shownState(grant: Grant, now: number): ShownGrant['state'] {
  const state = stateAt(grant, now);
  return state === 'issued' && hasExpired(grant, now) ? 'expired' : state;
}

const shownToken = (token: AccessToken, now: number): Token => ({
  id: token.id,
  state: token.state === 'active' && now >= token.expiresAt ? 'expired' : token.state,
  createdAt: new Date(token.createdAt),
  expiresAt: new Date(token.expiresAt),
  awaitsRotation: token.awaitsRotation,
});
