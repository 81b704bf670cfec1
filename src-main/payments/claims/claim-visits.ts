import { and, eq, inArray } from 'drizzle-orm';
import { type ClaimFinding, type ClaimProblem, MOST_WALLETS } from '../../../src-shared/claims/claim-findings.ts';
import { hashSecret } from '../../access/secrets.ts';
import type { Core } from '../../platform/core.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import type { OnBehalf } from '../../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { isFinishHash, type PaymentGrants } from '../../remote-wallets/payment-grants.ts';
import { type RemoteWalletAddress, type WalletDirectory, walletAddressUrl } from '../../remote-wallets/wallet-directory.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment } from '../incoming/incoming-payments.ts';
import { FOUND } from '../reach/wallet-reach.ts';
import { findClaim, findTry, type StoredClaim, type StoredTry, triesOf, walletsOf } from '../refunds/claim-rows.ts';
import { isOpenAt } from '../refunds/claim-rule.ts';
import { findRefund } from '../refunds/refund-rows.ts';
import { refundStateOf } from '../refunds/refund-rule.ts';
import { claims, claimTries, type TryState } from '../refunds/tables.ts';
import { type ClaimLinks, isLinkSecret, linkHashOf } from './claim-links.ts';
import { type ClaimSecrets, openSecrets, sealSecrets } from './claim-secrets.ts';
import { letDecide } from './claims.ts';

export interface ClaimVisitParts extends Pick<Core, 'database' | 'clock' | 'urls'> {
  seal: Seal;
  links: ClaimLinks;
  walletAddresses: WalletAddresses;
  directory: Pick<WalletDirectory, 'find'>;
  grants: Pick<PaymentGrants, 'requestHistory'>;
}

interface WantedTry {
  /** The secret part of the link. */
  secret: string;
  /** What the customer typed: a wallet address or a payment pointer. */
  wallet: string;
  /** 256 random bits that tie it to the customer's browser. */
  visitor: string;
  /** The customer's network. The requests that the node makes for them count for it. */
  network: string;
}

/**
 * The browser's next place once a customer has named a wallet: a URL, or null for the page that says how the claim
 * stands.
 */
type Named = { go: string } | { go: null };

/** How the claim stands for one visitor. */
export interface ClaimStanding {
  claim: StoredClaim;
  account: WalletAddress;
  isOpen: boolean;
  /** The newest wallet that was named in this browser. */
  own: StoredTry | undefined;
  /** Whether the node asks a wallet at this moment. */
  isBusy: boolean;
  /** Whether its refund has failed, so that not all of the money has left, or none. */
  hasFailed: boolean;
}

/** How long a customer may take to allow it at their wallet. */
const APPROVAL_MS = 15 * 60_000;
/** How long the node tries to ask a wallet for the permission. */
const ASKING_MS = 60_000;
/** How long the node tries to ask a wallet about its payments. */
const LISTING_MS = 2 * 60_000;
/** The most wallets that a customer may name for one claim. Mistyped ones count. */
const MOST_TRIES = 10;

/** The condition that the customer has not come back from the wallet. */
const isUnapproved = inArray(claimTries.state, ['asking', 'approving']);
const BUSY: readonly TryState[] = ['returned', 'listing'];

/**
 * Follows a customer on the page of a claim link: they name their wallet, allow there that this node sees its payments,
 * and come back. Every step is stored, so any replica can take the next one.
 */
export class ClaimVisits {
  readonly #parts: ClaimVisitParts;
  readonly #onReturned: () => void;

  /** @param onReturned wakes the worker, when a customer has come back. */
  constructor(parts: ClaimVisitParts, onReturned: () => void) {
    this.#parts = parts;
    this.#onReturned = onReturned;
  }

  /** Says how the claim of a link stands. It is undefined when the link leads to none. */
  async standing(secret: string, visitor: string | undefined): Promise<ClaimStanding | undefined> {
    const { database, clock, walletAddresses } = this.#parts;
    if (!isLinkSecret(secret)) return undefined;
    const [claim] = await database.read
      .select()
      .from(claims)
      .where(eq(claims.linkHash, linkHashOf(secret)));
    const payment = claim && (await findIncomingPayment(database.read, claim.incomingPaymentId));
    const account = payment && (await walletAddresses.byId(payment.walletAddressId));
    if (claim === undefined || account === undefined) return undefined;
    const tries = await triesOf(database.read, [claim.id]);
    const visitorHash = visitor === undefined ? undefined : hashSecret(visitor);
    const isOpen = isOpenAt(claim, clock.now());
    const isBusy = tries.some(({ state }) => BUSY.includes(state));
    const refund = await findRefund(database.read, claim.id);
    const hasFailed = refund !== undefined && refundStateOf(refund) === 'failed';
    return { claim, account, isOpen, isBusy, hasFailed, own: tries.findLast((one) => one.visitorHash === visitorHash) };
  }

  /** Finds the wallet that a customer names, and asks it for permission to see its payments. */
  async name(wanted: WantedTry): Promise<Result<Named, ClaimProblem>> {
    const stands = await this.standing(wanted.secret, wanted.visitor);
    if (stands?.claim.state !== 'open' || !stands.isOpen) return ok({ go: null });
    const begun = await this.#begin(stands.claim, wanted);
    if (!begun.ok) return begun;
    if (begun.value === undefined) return ok({ go: null });
    const asked = await this.#ask(stands, begun.value, wanted);
    if (!asked.ok) await this.#end(begun.value.id);
    return asked;
  }

  /** Stores that a customer named a wallet. It gives up another wallet of this claim that nobody has approved yet. */
  async #begin(claim: StoredClaim, { wallet, visitor }: WantedTry): Promise<Result<StoredTry | undefined, ClaimProblem>> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    const row: StoredTry = {
      ...{ id: newId(), claimId: claim.id, state: 'asking', payer: wallet, finding: null, said: null },
      ...{ visitorHash: hashSecret(visitor), sealed: null, tries: 0, dueAt: null, holder: null },
      ...{ createdAt: at, lapsesAt: at + ASKING_MS, updatedAt: at },
    };
    return await database.write(async (tx): Promise<Result<StoredTry | undefined, ClaimProblem>> => {
      const now = await findClaim(tx, claim.id);
      if (now?.state !== 'open' || !isOpenAt(now, at)) return ok(undefined);
      const earlier = await triesOf(tx, [claim.id]);
      if (earlier.some(({ state }) => BUSY.includes(state))) return refuse('busy');
      if (earlier.length >= MOST_TRIES) return refuse('too_many_tries');
      await tx
        .update(claimTries)
        .set({ state: 'ended', sealed: null, updatedAt: at })
        .where(and(eq(claimTries.claimId, claim.id), isUnapproved));
      await tx.insert(claimTries).values(row);
      return ok(row);
    });
  }

  async #ask({ claim, account }: ClaimStanding, { id }: StoredTry, wanted: WantedTry): Promise<Result<Named, ClaimProblem>> {
    const { urls, directory, grants, seal, walletAddresses } = this.#parts;
    const behalf: OnBehalf = { pool: 'checkout', caller: wanted.network };
    const found = await directory.find(wanted.wallet, behalf);
    if (!found.ok) {
      if (found.error !== 'own_wallet_address') return refuse(FOUND[found.error]);
      const own = await walletAddresses.byUrl(walletAddressUrl(wanted.wallet) ?? '');
      if (own === undefined) return refuse('wallet_not_found');
      // What an account of this node has paid is proven by the ledger, and is no claim.
      return own.id === account.id ? refuse('the_shop_itself') : await this.#decide(id, claim.id, own.id, 'own_account');
    }
    const wallet: RemoteWalletAddress = found.value;
    const clientNonce = newSecret();
    const finish = { uri: urls.claimReturn(id), nonce: clientNonce };
    const asked = await grants.requestHistory({ walletAddress: wallet, walletAddressId: account.id, finish, behalf });
    if (!asked.ok && asked.error === 'unreachable') return refuse('auth_unreachable');
    if (!asked.ok) return await this.#decide(id, claim.id, wallet.id, 'grant_refused');
    // The browser goes only where the wallet's server may send it, and by https when that server has https.
    const { interactUrl, authServer } = asked.value;
    if (new URL(interactUrl).protocol !== new URL(authServer).protocol) return refuse('auth_unreachable');
    const sealed = sealSecrets(seal, id, { wallet, clientNonce, ...asked.value });
    return await this.#await(id, claim.id, { payer: wallet.id, sealed });
  }

  /** Waits for the customer, unless too many wallets have been asked meanwhile. */
  async #await(id: string, claimId: string, found: Pick<StoredTry, 'payer' | 'sealed'>): Promise<Result<Named, ClaimProblem>> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    return await database.write(async (tx): Promise<Result<Named, ClaimProblem>> => {
      if (!(await this.#isStillAsked(tx, id, claimId, at))) return ok({ go: null });
      if (tooMany(await triesOf(tx, [claimId]), found.payer)) return refuse('too_many_tries');
      await tx
        .update(claimTries)
        .set({ ...found, state: 'approving', lapsesAt: at + APPROVAL_MS, updatedAt: at })
        .where(eq(claimTries.id, id));
      return ok({ go: id });
    });
  }

  async #isStillAsked(tx: Parameters<typeof findClaim>[0], id: string, claimId: string, at: number): Promise<boolean> {
    const claim = await findClaim(tx, claimId);
    return claim?.state === 'open' && isOpenAt(claim, at) && (await findTry(tx, id))?.state === 'asking';
  }

  /** Lets the operator decide at once, because the wallet cannot tell anything. */
  async #decide(id: string, claimId: string, payer: string, finding: ClaimFinding): Promise<Result<Named, ClaimProblem>> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    return await database.write(async (tx): Promise<Result<Named, ClaimProblem>> => {
      const claim = await findClaim(tx, claimId);
      if (claim === undefined || !(await this.#isStillAsked(tx, id, claimId, at))) return ok({ go: null });
      if (tooMany(await triesOf(tx, [claimId]), payer)) return refuse('too_many_tries');
      await letDecide(tx, claim, { id }, { finding, payer }, at);
      return ok({ go: null });
    });
  }

  async #end(id: string): Promise<void> {
    const { database, clock } = this.#parts;
    const updatedAt = clock.now();
    await database.write((tx) =>
      tx
        .update(claimTries)
        .set({ state: 'ended', updatedAt })
        .where(and(eq(claimTries.id, id), isUnapproved)),
    );
  }

  /** The URL at which the customer allows it. Only the browser that named the wallet is told. */
  async approvalOf(tryId: string, visitor: string | undefined): Promise<{ url: string; wallet: string; back: string } | undefined> {
    const { clock, seal, links } = this.#parts;
    const own = await this.#own(tryId, visitor);
    if (own?.state !== 'approving' || clock.now() >= own.lapsesAt) return undefined;
    const secrets = openSecrets(seal, own);
    return secrets && { url: secrets.interactUrl, wallet: secrets.wallet.id, back: `/claim/${links.secretOf(own.claimId)}` };
  }

  /**
   * Takes the answer that the customer's browser brings from their wallet. A second time changes nothing.
   * @returns the secret part of the claim's link. It is undefined when this browser did not name the wallet.
   */
  async comeBack(tryId: string, visitor: string | undefined, query: ReturnQuery): Promise<{ secret: string; isGood: boolean } | undefined> {
    const own = await this.#own(tryId, visitor);
    if (own === undefined) return undefined;
    const secret = this.#parts.links.secretOf(own.claimId);
    return { secret, isGood: own.state !== 'approving' || (await this.#take(own, query)) };
  }

  /** @returns whether the wallet's server has made the answer. */
  async #take(own: StoredTry, { hash, interact_ref: interactRef, result }: ReturnQuery): Promise<boolean> {
    const { database, clock, seal } = this.#parts;
    const now = clock.now();
    if (result === 'grant_rejected' || now >= own.lapsesAt) {
      await this.giveToShop(own, result === 'grant_rejected' ? 'rejected' : 'not_back');
      return true;
    }
    const secrets: ClaimSecrets | undefined = openSecrets(seal, own);
    if (secrets === undefined || interactRef === undefined || hash === undefined) return false;
    if (!isFinishHash(hash, { ...secrets, interactRef })) return false;
    const sealed = sealSecrets(seal, own.id, { ...secrets, interactRef });
    await database.write((tx) =>
      tx
        .update(claimTries)
        .set({ state: 'returned', sealed, tries: 0, dueAt: now, lapsesAt: now + LISTING_MS, updatedAt: now })
        .where(and(eq(claimTries.id, own.id), eq(claimTries.state, 'approving'))),
    );
    failPoint('claim-step');
    this.#onReturned();
    return true;
  }

  /** Lets the shop decide, because the customer cannot allow it at their wallet. */
  async askShop(secret: string, visitor: string | undefined): Promise<void> {
    const stands = await this.standing(secret, visitor);
    if (stands?.own?.state === 'approving' && stands.isOpen) await this.giveToShop(stands.own, 'not_back');
  }

  /** Lets the operator decide about a wallet that nobody has approved. */
  async giveToShop({ id, claimId }: StoredTry, finding: ClaimFinding): Promise<void> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    await database.write(async (tx) => {
      const claim = await findClaim(tx, claimId);
      const now = await findTry(tx, id);
      if (claim?.state !== 'open' || !isOpenAt(claim, at) || now?.state !== 'approving') return;
      await letDecide(tx, claim, { id }, { finding }, at);
    });
  }

  async #own(tryId: string, visitor: string | undefined): Promise<StoredTry | undefined> {
    if (visitor === undefined) return undefined;
    const found = await findTry(this.#parts.database.read, tryId);
    return found?.visitorHash === hashSecret(visitor) ? found : undefined;
  }
}

/** Whether one more wallet would be too many. */
const tooMany = (tries: readonly StoredTry[], payer: string): boolean => {
  const wallets = walletsOf(tries);
  return !wallets.has(payer) && wallets.size >= MOST_WALLETS;
};

/** What a wallet's server adds to the address to which the browser comes back (RFC 9635 §4.2.1). */
interface ReturnQuery {
  hash?: string | undefined;
  interact_ref?: string | undefined;
  result?: string | undefined;
}
