import { and, asc, eq, gt, inArray, isNotNull, lte, or, sql } from 'drizzle-orm';
import type { ClaimFinding } from '../../../src-shared/claims/claim-findings.ts';
import type { PeerRoutes } from '../../ilp/peer-links.ts';
import type { Core } from '../../platform/core.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { ClaimedWork, type ClaimedWorkParts } from '../../platform/replicas/claimed-work.ts';
import { isAbandoned } from '../../platform/replicas/holders.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { PaymentGrants } from '../../remote-wallets/payment-grants.ts';
import type { HistoryPayment, PaymentHistory } from '../../remote-wallets/payment-history.ts';
import type { RemoteIncomingPayments } from '../../remote-wallets/remote-incoming-payments.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment, type IncomingPayment } from '../incoming/incoming-payments.ts';
import { findClaim, findTry, type StoredClaim, type StoredTry } from '../refunds/claim-rows.ts';
import { isOpenAt, judge } from '../refunds/claim-rule.ts';
import { claims, claimTries, isUnderWay, isUnended } from '../refunds/tables.ts';
import { type ClaimSecrets, openSecrets, sealSecrets } from './claim-secrets.ts';
import { expireIn, letDecide, refundIn } from './claims.ts';
import { cameFrom, peerTo } from './money-ways.ts';

const POLL_MS = 2_000;
const AT_ONCE = 4;
/** How long a claim keeps others away, in milliseconds: longer than a wallet may take to answer all questions. */
const LEASE_MS = 60_000;
/** The life of the incoming payment that shows the way to a wallet, in milliseconds. Nobody pays it. */
const ASKED_MS = 5 * 60_000;

/** How long the node waits after tries without an answer: 1 s, 2 s, 4 s and so on, at most half a minute. */
const backOff = (tries: number): number => Math.min(1_000 * 2 ** tries, 30_000);

/** What a step has led to. */
type Step =
  | { state: 'returned' | 'listing'; secrets: ClaimSecrets; again: number }
  | { found: ClaimFinding; said?: bigint; boundTo?: string };

interface Parts extends ClaimedWorkParts, Pick<Core, 'urls'> {
  seal: Seal;
  walletAddresses: Pick<WalletAddresses, 'byId'>;
  grants: Pick<PaymentGrants, 'continue' | 'revoke'>;
  history: Pick<PaymentHistory, 'paidTo'>;
  incomingPayments: Pick<RemoteIncomingPayments, 'create'>;
  routes: Pick<PeerRoutes, 'find'>;
  /** Wakes the worker of refunds. This worker calls it once a refund is durable. */
  onRefund: () => void;
}

const isAsked = inArray(claimTries.state, ['returned', 'listing']);

/**
 * The condition that a step is due. It also finds a step that waits too long, because a clock that was ahead set its
 * time.
 */
const isDue = (now: number) => and(isUnderWay, isAsked, or(lte(claimTries.dueAt, now), gt(claimTries.dueAt, now + LEASE_MS)));

/** The condition that nobody has claimed the wallet since this process did. */
const isClaim = ({ id, tries }: StoredTry) => and(eq(claimTries.id, id), eq(claimTries.tries, tries), isAsked);

const isLeftBehind = (on: Pick<Reader, 'select'>) => and(isUnderWay, isNotNull(claimTries.holder), isAbandoned(on, claimTries.holder));

async function oneUnderWay(read: Reader): Promise<readonly unknown[]> {
  const some = await read.select({ id: claims.id }).from(claims).where(isUnended).limit(1);
  return some.length > 0 ? some : await read.select({ id: claimTries.id }).from(claimTries).where(isUnderWay).limit(1);
}

const oneAbandoned = (read: Reader) => read.select({ id: claimTries.id }).from(claimTries).where(isLeftBehind(read)).limit(1);

/** Makes the steps of processes due that are gone. A process that only stood still can store nothing more. */
async function freeAbandoned(tx: Tx, now: number): Promise<void> {
  await tx
    .update(claimTries)
    .set({ dueAt: now, tries: sql`${claimTries.tries} + 1`, holder: null })
    .where(isLeftBehind(tx));
}

/**
 * Asks the wallets of claims about their payments, once their owners have allowed it, and ends what has lapsed. The
 * refund is made in the write that ends its claim, so that there is at most one, whichever process dies when.
 */
export class ClaimWorker extends ClaimedWork {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    const trouble = 'claim links could not be carried on; the worker looks again';
    super(parts, { oneUnderWay, oneAbandoned, freeAbandoned, everyMs: POLL_MS, trouble });
    this.#parts = parts;
  }

  /** Ends what has lapsed, and takes every step that is due now. @returns whether more may be due at once. */
  override async runOnce(): Promise<boolean> {
    const { database, clock } = this.#parts;
    const now = clock.now();
    await this.#endLapsed(now);
    const due = await database.read.select().from(claimTries).where(isDue(now)).orderBy(asc(claimTries.dueAt)).limit(AT_ONCE);
    const taken = await Promise.all(due.map((wallet) => this.#carryOn(wallet)));
    return due.length === AT_ONCE || taken.includes(true);
  }

  /**
   * Ends the claims whose time is over. The operator decides about a wallet from which nobody has come back. First it
   * moves times that a clock stored which was ahead.
   */
  async #endLapsed(now: number): Promise<void> {
    const { read } = this.#parts.database;
    const ahead = and(isUnderWay, gt(claimTries.updatedAt, now));
    const lapsed = and(isUnderWay, or(lte(claimTries.lapsesAt, now), gt(claimTries.updatedAt, now)));
    const [over] = await read
      .select({ id: claims.id })
      .from(claims)
      .where(and(isUnended, lte(claims.expiresAt, now)))
      .limit(1);
    const [late] = await read.select({ id: claimTries.id }).from(claimTries).where(lapsed).limit(1);
    if (over === undefined && late === undefined) return;
    await this.#parts.database.write(async (tx) => {
      await tx
        .update(claimTries)
        .set({ lapsesAt: sql`${claimTries.lapsesAt} - (${claimTries.updatedAt} - ${now})`, updatedAt: now })
        .where(ahead);
      await expireIn(tx, now);
      for (const wallet of await tx.select().from(claimTries).where(lapsed)) await lapseIn(tx, wallet, now);
    });
  }

  /** Takes the next step. @returns whether the one after it is due at once. */
  async #carryOn(seen: StoredTry): Promise<boolean> {
    const wallet = await this.#claim(seen);
    if (wallet === undefined) return false;
    failPoint('claim-step');
    const secrets = openSecrets(this.#parts.seal, wallet);
    const step: Step = secrets === undefined ? { found: 'no_answer' } : await this.#step(wallet, secrets);
    failPoint('claim-step');
    if ('state' in step) {
      await this.#putOff(wallet, step);
      return step.again === 0;
    }
    await this.#conclude(wallet, step);
    failPoint('claim-step');
    if (secrets?.token !== undefined) await this.#giveBack(wallet, secrets, secrets.token);
    return false;
  }

  async #claim(seen: StoredTry): Promise<StoredTry | undefined> {
    const now = this.#parts.clock.now();
    const [claimed] = await this.#parts.database.write((tx) =>
      tx
        .update(claimTries)
        .set({ tries: seen.tries + 1, dueAt: now + LEASE_MS, holder: this.holder })
        .where(isClaim(seen))
        .returning(),
    );
    return claimed;
  }

  async #step(wallet: StoredTry, secrets: ClaimSecrets): Promise<Step> {
    const found = await this.#partsOf(wallet);
    if (found === undefined) return { found: 'no_answer' };
    return wallet.state === 'returned' ? await this.#fetchToken(wallet, secrets, found) : await this.#listPayments(wallet, secrets, found);
  }

  async #partsOf({ claimId }: StoredTry): Promise<Found | undefined> {
    const { database, walletAddresses } = this.#parts;
    const claim = await findClaim(database.read, claimId);
    const payment = claim && (await findIncomingPayment(database.read, claim.incomingPaymentId));
    const account = payment && (await walletAddresses.byId(payment.walletAddressId));
    return claim && payment && account && { claim, payment, account };
  }

  /** Fetches the token with the reference that the customer's browser brought back. */
  async #fetchToken(wallet: StoredTry, secrets: ClaimSecrets, { account }: Found): Promise<Step> {
    const continued = await this.#parts.grants.continue({ ...secrets, walletAddressId: account.id });
    if (!continued.ok)
      return continued.error === 'refused' ? { found: 'grant_refused' } : { state: 'returned', secrets, again: backOff(wallet.tries) };
    const { value } = continued;
    if (value.state === 'granted') {
      const { token, manageUrl } = value;
      return { state: 'listing', secrets: { ...secrets, token, manageUrl }, again: 0 };
    }
    const { continueUri, continueToken, waitSeconds } = value;
    return { state: 'returned', secrets: { ...secrets, continueUri, continueToken }, again: waitSeconds * 1_000 };
  }

  /** Asks the wallet about its payments, and the ledger on which way the money came. */
  async #listPayments(wallet: StoredTry, secrets: ClaimSecrets, { claim, payment, account }: Found): Promise<Step> {
    const { history, urls } = this.#parts;
    const listed = await history.paidTo({
      walletAddress: secrets.wallet,
      walletAddressId: account.id,
      token: secrets.token ?? '',
      receivers: urls.origins.map((origin) => urls.incomingPaymentAt(payment.id, origin)),
      since: payment.createdAt,
    });
    if (!listed.ok)
      return listed.error === 'refused' ? { found: 'list_refused' } : { state: 'listing', secrets, again: backOff(wallet.tries) };
    const said = listed.value.reduce((sum, one) => sum + arrivedBy(one, account), 0n);
    if (said === 0n) return { found: 'not_paid', said };
    const way = await this.#wayTo(secrets, account);
    if (way === 'no answer') return { state: 'listing', secrets, again: backOff(wallet.tries) };
    const came = way === undefined ? undefined : await cameFrom(this.#parts.database.read, payment, way);
    const found = judge({ amount: claim.amount, said, came });
    return { found, said, ...(found === 'confirmed' && way !== undefined && { boundTo: way }) };
  }

  /**
   * The peer through which a refund would reach the wallet. The node asks the wallet for an incoming payment, whose
   * address shows the way. It is undefined when there is no way.
   */
  async #wayTo({ wallet }: ClaimSecrets, account: WalletAddress): Promise<string | undefined | 'no answer'> {
    const { incomingPayments, clock, routes } = this.#parts;
    const wanted = { walletAddress: wallet, expiresAt: clock.now() + ASKED_MS, behalf: { pool: 'checkout' as const } };
    const made = await incomingPayments.create(wanted, account.id);
    if (!made.ok) return made.error === 'receiver_unreachable' || made.error === 'receiver_busy' ? 'no answer' : undefined;
    const { method, asset } = made.value;
    return method && peerTo(routes, method.ilpAddress, [asset, account]);
  }

  async #putOff(wallet: StoredTry, { state, secrets, again }: Extract<Step, { state: string }>): Promise<void> {
    const { database, clock, seal } = this.#parts;
    const at = clock.now();
    const sealed = sealSecrets(seal, wallet.id, secrets);
    const tries = state === wallet.state ? wallet.tries : 0;
    await database.write((tx) =>
      tx
        .update(claimTries)
        .set({ state, sealed, tries, dueAt: at + again, holder: null, updatedAt: at })
        .where(isClaim(wallet)),
    );
  }

  /**
   * Ends the claim with its refund, or lets the operator decide, in one write. It does neither when the claim has
   * ended.
   */
  async #conclude(wallet: StoredTry, { found, said, boundTo }: Extract<Step, { found: ClaimFinding }>): Promise<void> {
    const { database, clock, onRefund } = this.#parts;
    const at = clock.now();
    const isRefunded = await database.write(async (tx) => {
      const [own] = await tx.select().from(claimTries).where(isClaim(wallet));
      const claim = await findClaim(tx, wallet.claimId);
      if (own === undefined || claim?.state !== 'open' || !isOpenAt(claim, at)) return false;
      const finding = { finding: found, said: said ?? null };
      if (found !== 'confirmed' || boundTo === undefined) {
        await letDecide(tx, claim, own, finding, at);
        return false;
      }
      await tx.update(claimTries).set(finding).where(eq(claimTries.id, own.id));
      const refunded = await refundIn(tx, claim, own, { payer: own.payer, claimed: 'wallet', boundTo }, at);
      if (!refunded.ok) await letDecide(tx, claim, own, { ...finding, finding: 'too_little_money' }, at);
      return refunded.ok;
    });
    if (isRefunded) onRefund();
  }

  /** Gives the token back. Nothing depends on it. */
  async #giveBack(wallet: StoredTry, { authServer, manageUrl }: ClaimSecrets, token: string): Promise<void> {
    const found = await this.#partsOf(wallet);
    if (found === undefined || manageUrl === undefined) return;
    await this.#parts.grants.revoke({ authServer, manageUrl, token, walletAddressId: found.account.id });
  }
}

interface Found {
  claim: StoredClaim;
  payment: IncomingPayment;
  account: WalletAddress;
}

/** The amount that a payment brought to the account by the word of its wallet, in smallest units, rounded down. */
function arrivedBy({ receiveAmount, debitAmount, sentAmount }: HistoryPayment, account: WalletAddress): bigint {
  if (receiveAmount.assetCode !== account.assetCode || receiveAmount.assetScale !== account.assetScale) return 0n;
  if (debitAmount.value === 0n || sentAmount.value >= debitAmount.value) return receiveAmount.value;
  return (receiveAmount.value * sentAmount.value) / debitAmount.value;
}

/** Ends a wallet whose time is over, or lets the operator decide about it. */
async function lapseIn(tx: Tx, wallet: StoredTry, at: number): Promise<void> {
  const claim = await findClaim(tx, wallet.claimId);
  // The write that has ended the claim ended its wallets as well.
  if ((await findTry(tx, wallet.id))?.state !== wallet.state || claim === undefined) return;
  if (wallet.state === 'asking' || claim.state !== 'open') {
    await tx.update(claimTries).set({ state: 'ended', sealed: null, dueAt: null, updatedAt: at }).where(eq(claimTries.id, wallet.id));
    return;
  }
  await letDecide(tx, claim, wallet, { finding: wallet.state === 'approving' ? 'not_back' : 'no_answer' }, at);
}
