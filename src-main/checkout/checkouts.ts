import { and, asc, count, desc, eq, gt, sql } from 'drizzle-orm';
import { type Amount, sameAsset } from '../../src-shared/amounts.ts';
import type { AttemptFailure } from '../../src-shared/attempt-failures.ts';
import { hashSecret } from '../access/secrets.ts';
import { findIncomingPayment, type IncomingPayment, roomOf, statusOf } from '../payments/incoming/incoming-payments.ts';
import { FOUND, type WalletReach } from '../payments/reach/wallet-reach.ts';
import type { Core } from '../platform/core.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { newId, newSecret } from '../platform/ids.ts';
import type { OnBehalf } from '../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import { isFinishHash, type PaymentGrants } from '../remote-wallets/payment-grants.ts';
import type { RemotePayments } from '../remote-wallets/remote-payments.ts';
import type { RemoteWalletAddress, WalletDirectory } from '../remote-wallets/wallet-directory.ts';
import type { WalletAddress, WalletAddresses } from '../wallet-addresses/wallet-addresses.ts';
import { type Attempt, type AttemptSecrets, failAttempts, openSecrets, sealSecrets } from './attempt-rows.ts';
import { checkouts, isUnapproved, isUnderWay } from './tables.ts';

export interface CheckoutParts extends Pick<Core, 'database' | 'clock' | 'urls'> {
  seal: Seal;
  walletAddresses: WalletAddresses;
  directory: Pick<WalletDirectory, 'find'>;
  paymentGrants: Pick<PaymentGrants, 'request' | 'continue' | 'cancel'>;
  payments: Pick<RemotePayments, 'createQuote' | 'createOutgoingPayment' | 'getOutgoingPayment'>;
  /** Finds out why a wallet cannot pay. */
  reach: Pick<WalletReach, 'anyBack' | 'whyNoPrice'>;
  /** How many attempts may wait for their visitors' approval. */
  places?: number;
}

interface WantedAttempt {
  incomingPaymentId: string;
  /** What the visitor typed: a wallet address or a payment pointer. */
  wallet: string;
  /** The amount that is to arrive, in smallest units. It counts for payments without an amount of their own. */
  amount: bigint | undefined;
  /** 256 random bits that tie the attempt to the visitor's browser. */
  visitor: string;
  /** The visitor's network. The requests that the attempt causes count for it. */
  network: string;
}

/** `busy`: the node asks the wallets of as many visitors as it can at a time. */
export type StartProblem = AttemptFailure | 'unknown_payment' | 'invalid_amount' | 'busy';

/** How long a visitor may take to approve. */
const APPROVAL_MS = 15 * 60_000;
/** How long the node tries to ask the visitor's wallet before the attempt fails. */
const ASKING_MS = 60_000;
/** How long the node follows a payment at the visitor's wallet. */
const FOLLOW_MS = 15 * 60_000;
/**
 * The most attempts that wait for an approval on the node. It bounds rows only: anybody can begin an attempt and never
 * approve it, so an attempt keeps no other away from its payment. A payment takes no more than it asks for, however
 * many pay. Approved attempts hold no place, because anybody can approve at a wallet of their own. The limits on what
 * strangers make the node ask allow some 3,000 attempts in the quarter of an hour for which they live
 * (decisions.md#D-131).
 */
const PLACES = 2_000;

const newest = prepared((reader: Reader) =>
  reader
    .select()
    .from(checkouts)
    .where(
      and(eq(checkouts.incomingPaymentId, sql.placeholder('paymentId')), sql`${checkouts.visitorHash} = ${sql.placeholder('visitorHash')}`),
    )
    .orderBy(desc(checkouts.createdAt), asc(checkouts.id))
    .limit(1)
    .prepare(),
);

/**
 * Lets the visitor of a payment's page pay from a wallet of their own. The node is the client of that wallet, the
 * visitor approves there, and the browser comes back (protocol-notes.md#PN-19). Every step is stored, so a restart
 * loses none.
 */
export class Checkouts {
  readonly #parts: CheckoutParts;
  readonly #onReturned: () => void;

  /** @param onReturned is called when a visitor has come back with an approval, so that the worker continues. */
  constructor(parts: CheckoutParts, onReturned: () => void) {
    this.#parts = parts;
    this.#onReturned = onReturned;
  }

  /** Finds the wallet and its price, and asks it for permission. @returns the id of the attempt. */
  async start(wanted: WantedAttempt): Promise<Result<string, StartProblem>> {
    const { database, clock, walletAddresses } = this.#parts;
    const payment = await findIncomingPayment(database.read, wanted.incomingPaymentId);
    const account = payment && (await walletAddresses.byId(payment.walletAddressId));
    if (payment === undefined || account === undefined) return refuse('unknown_payment');
    if (statusOf(payment, clock.now()) !== 'open') return refuse('closed');
    const amount = payment.incomingAmount === null ? wanted.amount : roomOf(payment);
    if (amount === undefined || amount <= 0n || amount > roomOf(payment)) return refuse('invalid_amount');
    const attempt = await this.#begin(payment, amount, wanted);
    if (attempt === undefined) return refuse('busy');
    const asked = await this.#ask(attempt, payment, account, wanted);
    if (asked.ok) return ok(attempt.id);
    await this.#fail(attempt.id, asked.error);
    return asked;
  }

  /** Stores an attempt, unless the node asks too many wallets. */
  async #begin(payment: IncomingPayment, amount: bigint, { wallet, visitor }: WantedAttempt): Promise<Attempt | undefined> {
    const now = this.#parts.clock.now();
    const attempt: Attempt = {
      id: newId(),
      incomingPaymentId: payment.id,
      state: 'asking',
      reason: null,
      visitorHash: hashSecret(visitor),
      walletAddress: wallet,
      amount,
      sealed: null,
      outgoingPayment: null,
      receivedBefore: null,
      tries: 0,
      dueAt: null,
      claims: 0,
      claimedUntil: null,
      holder: null,
      createdAt: now,
      lapsesAt: now + ASKING_MS,
      updatedAt: now,
    };
    return await this.#parts.database.write(async (tx) => {
      // A visitor who tries again has given up the attempt before.
      const before = and(eq(checkouts.incomingPaymentId, payment.id), eq(checkouts.visitorHash, attempt.visitorHash), isUnapproved);
      await failAttempts(tx, before, 'too_late', now);
      if (!(await this.#findPlace(tx, now))) return undefined;
      await tx.insert(checkouts).values(attempt);
      return attempt;
    });
  }

  /**
   * Makes room: without a free place, the oldest unapproved attempt gives way. @returns whether there is a place now.
   */
  async #findPlace(tx: Tx, now: number): Promise<boolean> {
    const living = and(isUnderWay, isUnapproved, gt(checkouts.lapsesAt, now));
    const [all] = await tx.select({ number: count() }).from(checkouts).where(living);
    if (Number(all?.number ?? 0) < (this.#parts.places ?? PLACES)) return true;
    const [oldest] = await tx
      .select({ id: checkouts.id })
      .from(checkouts)
      .where(and(living, eq(checkouts.state, 'approving')))
      .orderBy(asc(checkouts.lapsesAt), asc(checkouts.id))
      .limit(1);
    if (oldest === undefined) return false;
    await failAttempts(tx, eq(checkouts.id, oldest.id), 'too_late', now);
    return true;
  }

  async #ask(
    attempt: Attempt,
    payment: IncomingPayment,
    account: WalletAddress,
    { wallet: typed, network: caller }: WantedAttempt,
  ): Promise<Result<void, AttemptFailure>> {
    const behalf: OnBehalf = { pool: 'checkout', caller };
    const { urls, clock, directory, paymentGrants, database, seal, reach } = this.#parts;
    const found = await directory.find(typed, behalf);
    if (!found.ok) return refuse(found.error === 'own_wallet_address' ? 'own_wallet' : FOUND[found.error]);
    // Nobody is sent to their wallet for a payment that cannot come.
    const nobodyCan = await reach.anyBack();
    if (nobodyCan !== undefined) return refuse(nobodyCan);
    const wallet = found.value;
    const price = await this.#price(wallet, payment, account, attempt.amount, behalf);
    if (!price.ok) return price;
    const clientNonce = newSecret();
    const asked = await paymentGrants.request({
      walletAddress: wallet,
      walletAddressId: account.id,
      limit: { debitAmount: price.value.debitAmount },
      receiver: urls.incomingPayment(payment.id),
      finish: { uri: `${urls.checkout(payment.id)}/return/${attempt.id}`, nonce: clientNonce },
      behalf,
    });
    if (!asked.ok) return refuse(asked.error === 'refused' ? 'grant_refused' : 'auth_unreachable');
    // The visitor's browser goes only where the wallet's server may send it, and by https when that server has https.
    const { interactUrl, authServer } = asked.value;
    if (new URL(interactUrl).protocol !== new URL(authServer).protocol) return refuse('wallet_refused');
    const secrets: AttemptSecrets = {
      wallet,
      quoteId: price.value.id,
      debit: price.value.debitAmount.value.toString(),
      quoteExpiresAt: price.value.expiresAt ?? null,
      clientNonce,
      ...asked.value,
    };
    const now = clock.now();
    const sealed = sealSecrets(seal, attempt.id, secrets);
    const [stored] = await database.write((tx) =>
      tx
        .update(checkouts)
        .set({ state: 'approving', walletAddress: wallet.id, sealed, lapsesAt: now + APPROVAL_MS, updatedAt: now })
        .where(and(eq(checkouts.id, attempt.id), eq(checkouts.state, 'asking')))
        .returning({ id: checkouts.id }),
    );
    return stored === undefined ? refuse('too_late') : ok(undefined);
  }

  async #price(wallet: RemoteWalletAddress, payment: IncomingPayment, account: WalletAddress, value: bigint, behalf: OnBehalf) {
    const { assetCode, assetScale } = account;
    const receiveAmount: Amount = { value, assetCode, assetScale };
    const quote = await this.#parts.payments.createQuote({
      walletAddress: wallet,
      walletAddressId: account.id,
      receiver: this.#parts.urls.incomingPayment(payment.id),
      receiveAmount,
      behalf,
    });
    if (!quote.ok) return refuse(await this.#parts.reach.whyNoPrice(wallet, account, behalf));
    const { debitAmount } = quote.value;
    if (!sameAsset(debitAmount, wallet) || debitAmount.value <= 0n) return refuse('wallet_refused' as const);
    return quote;
  }

  /**
   * The URL at which the visitor approves, and what their wallet will take. Only the browser that began the attempt is
   * told.
   */
  async approvalOf(id: string, visitor: string | undefined): Promise<{ url: string; wallet: string; debit: Amount } | undefined> {
    const attempt = await this.#own(id, visitor);
    if (attempt?.state !== 'approving' || this.#parts.clock.now() >= attempt.lapsesAt) return undefined;
    const secrets = openSecrets(this.#parts.seal, attempt);
    if (secrets === undefined) return undefined;
    const { assetCode, assetScale } = secrets.wallet;
    return { url: secrets.interactUrl, wallet: secrets.wallet.id, debit: { value: BigInt(secrets.debit), assetCode, assetScale } };
  }

  /**
   * Takes the answer that the visitor's browser brings from their wallet. A second time changes nothing.
   * @returns false when the attempt is not of this browser, or when another wallet made the answer.
   */
  async comeBack(id: string, visitor: string | undefined, query: ReturnQuery): Promise<boolean> {
    const attempt = await this.#own(id, visitor);
    if (attempt === undefined) return false;
    if (attempt.state !== 'approving') return true;
    const now = this.#parts.clock.now();
    if (now >= attempt.lapsesAt) {
      await this.#fail(id, 'too_late');
      return true;
    }
    if (query.result === 'grant_rejected') {
      await this.#fail(id, 'rejected');
      return true;
    }
    const secrets = openSecrets(this.#parts.seal, attempt);
    const { interact_ref: interactRef, hash } = query;
    if (secrets === undefined || interactRef === undefined || hash === undefined) return false;
    if (!isFinishHash(hash, { ...secrets, interactRef })) return false;
    const sealed = sealSecrets(this.#parts.seal, id, { ...secrets, interactRef });
    await this.#parts.database.write((tx) =>
      tx
        .update(checkouts)
        .set({ state: 'returned', sealed, tries: 0, dueAt: now, lapsesAt: now + FOLLOW_MS, updatedAt: now })
        .where(and(eq(checkouts.id, id), eq(checkouts.state, 'approving'))),
    );
    this.#onReturned();
    return true;
  }

  /** The newest attempt of this browser to pay a payment. */
  async attemptOf(incomingPaymentId: string, visitor: string | undefined): Promise<Attempt | undefined> {
    if (visitor === undefined) return undefined;
    const [attempt] = await newest(this.#parts.database.read).execute({
      paymentId: incomingPaymentId,
      visitorHash: hashSecret(visitor),
    });
    return attempt;
  }

  async #own(id: string, visitor: string | undefined): Promise<Attempt | undefined> {
    if (visitor === undefined) return undefined;
    const [attempt] = await this.#parts.database.read.select().from(checkouts).where(eq(checkouts.id, id));
    return attempt?.visitorHash === hashSecret(visitor) ? attempt : undefined;
  }

  async #fail(id: string, reason: AttemptFailure): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.database.write((tx) => failAttempts(tx, and(eq(checkouts.id, id), isUnapproved), reason, now));
  }
}

/** What a wallet's server adds to the address to which the browser comes back (RFC 9635 §4.2.1). */
interface ReturnQuery {
  hash?: string | undefined;
  interact_ref?: string | undefined;
  result?: string | undefined;
}
