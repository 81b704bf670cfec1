import { hash } from 'node:crypto';
import { type Amount, type Asset, sameAsset } from '../../../src-shared/amounts.ts';
import type { Core } from '../../platform/core.ts';
import { isId } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { RemoteIncomingPayments } from '../../remote-wallets/remote-incoming-payments.ts';
import { type RemoteWalletAddress, type WalletDirectory, walletAddressUrl } from '../../remote-wallets/wallet-directory.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import type { IncomingPayments } from '../incoming/incoming-payments.ts';
import type { Quote, QuoteProblem, Quotes } from '../quotes/quotes.ts';
import { type ReceiverProblem, type Receivers, receiverRemaining } from '../quotes/receivers.ts';
import type { NewOutgoingPayment, OutgoingPaymentProblem } from './funding.ts';
import type { OutgoingPayment } from './outgoing-payment-rows.ts';
import type { OutgoingPayments } from './outgoing-payments.ts';

/** The payee whom a text names that the operator typed or pasted. */
export type Payee =
  | { kind: 'incoming-payment'; url: string; name: string | null; asset: Asset; asked: bigint | undefined; own: boolean }
  | { kind: 'own-wallet-address'; url: string; walletAddress: WalletAddress }
  | { kind: 'remote-wallet-address'; url: string; walletAddress: RemoteWalletAddress };

/** What the operator asks a price for. */
interface WantedQuote {
  /** The id of the intention. */
  requestId: string;
  from: WalletAddress;
  payee: string;
  /**
   * The amount to take, in smallest units of the payer's asset, or the amount to arrive, in smallest units of the
   * payee's. Without either, it is what the payee still asks for.
   */
  send?: bigint | undefined;
  deliver?: bigint | undefined;
  note?: string | undefined;
}

/** Why there is no quote. `amount_needed`: the payee asks for no amount of its own. */
export type OperatorQuoteProblem = QuoteProblem | { code: 'amount_needed' };

/**
 * The payee's wallet expects a payment that was quoted to a wallet address for this long: a quote's life and a
 * payment's.
 */
const EXPECTED_MS = 15 * 60_000;

/** Finds other wallets, and asks them for incoming payments. */
interface OtherWallets {
  directory: Pick<WalletDirectory, 'find'>;
  incomingPayments: Pick<RemoteIncomingPayments, 'create'>;
}

interface Parts extends Pick<Core, 'clock' | 'urls'> {
  walletAddresses: WalletAddresses;
  incomingPayments: IncomingPayments;
  remote: OtherWallets;
  receivers: Receivers;
  quotes: Quotes;
  outgoingPayments: OutgoingPayments;
}

/** Makes the operator's own payments, by the same quotes and the same funding as those of apps, without a grant. */
export class OperatorPayments {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Finds the payee.
   * @param text a wallet address, a payment pointer, a payment link of a paydesk node, or an incoming payment's URL.
   * @param from the wallet address that is to pay.
   */
  async find(text: string, from: WalletAddress): Promise<Result<Payee, ReceiverProblem>> {
    const payment = paymentUrl(text.trim());
    if (payment !== undefined) return await this.#findPayment(payment, from);
    const url = walletAddressUrl(text);
    if (url === undefined) return refuse('unknown_receiver');
    if (this.#parts.urls.parse(url)?.kind === 'wallet-address') {
      const walletAddress = await this.#parts.walletAddresses.byUrl(url);
      if (walletAddress === undefined) return refuse('unknown_receiver');
      return ok({ kind: 'own-wallet-address', url: this.#parts.walletAddresses.urlOf(walletAddress), walletAddress });
    }
    const found = await this.#parts.remote.directory.find(text, { pool: 'money' });
    if (!found.ok) return refuse(found.error === 'wallet_unreachable' ? 'receiver_unreachable' : 'unknown_receiver');
    return ok({ kind: 'remote-wallet-address', url: found.value.id, walletAddress: found.value });
  }

  /**
   * Makes a quote for paying. A quote is for an incoming payment, so a payee that is a wallet address is asked for one
   * first.
   */
  async quote(wanted: WantedQuote): Promise<Result<Quote, OperatorQuoteProblem>> {
    const { from, send, deliver } = wanted;
    const payee = await this.find(wanted.payee, from);
    if (!payee.ok) return refuse({ code: payee.error });
    const asset = assetOf(payee.value);
    const asked = payee.value.kind === 'incoming-payment' ? payee.value.asked : undefined;
    if (send === undefined && deliver === undefined && asked === undefined) return refuse({ code: 'amount_needed' });
    const receiver = await this.#receiverOf(payee.value, wanted);
    if (!receiver.ok) return receiver;
    return await this.#parts.quotes.create({
      walletAddress: from,
      client: null,
      receiver: receiver.value,
      debitAmount: send === undefined ? undefined : amountOf(send, from),
      receiveAmount: deliver === undefined ? undefined : amountOf(deliver, asset),
    });
  }

  /**
   * Pays a quote.
   * @param requestId made once per intention: the same id again answers with the payment that it made.
   */
  async pay({
    requestId,
    from,
    quoteId,
    note,
    ...together
  }: {
    requestId: string;
    from: WalletAddress;
    quoteId: string;
    note?: string | undefined;
  } & Pick<NewOutgoingPayment, 'inSameWrite' | 'touches'>): Promise<Result<OutgoingPayment, OutgoingPaymentProblem>> {
    return await this.#parts.outgoingPayments.createFromQuote({
      walletAddress: from,
      right: null,
      quoteId,
      metadata: note ? { description: note } : undefined,
      requestHash: hash('sha256', `operator ${requestId}`, 'base64url'),
      ...together,
    });
  }

  async #findPayment(url: string, from: WalletAddress): Promise<Result<Payee, ReceiverProblem>> {
    const found = await this.#parts.receivers.find(url, { client: null, walletAddressId: from.id });
    if (!found.ok) return found;
    const receiver = found.value;
    const walletAddress =
      receiver.kind === 'own' ? await this.#parts.walletAddresses.byId(receiver.incomingPayment.walletAddressId) : undefined;
    return ok({
      kind: 'incoming-payment',
      url,
      name: walletAddress?.publicName ?? null,
      asset: receiver.asset,
      asked: receiverRemaining(receiver),
      own: receiver.kind === 'own',
    });
  }

  /**
   * Finds the incoming payment to pay, or makes the payee's wallet create one. A new one asks for the amount, as far as
   * the node knows it before the price.
   */
  async #receiverOf(payee: Payee, { requestId, from, send, deliver, note }: WantedQuote): Promise<Result<string, OperatorQuoteProblem>> {
    if (payee.kind === 'incoming-payment') return ok(payee.url);
    const asset = assetOf(payee);
    const value = deliver ?? (sameAsset(asset, from) ? send : undefined);
    const wanted = {
      incomingAmount: value === undefined ? undefined : amountOf(value, asset),
      expiresAt: this.#parts.clock.now() + EXPECTED_MS,
      metadata: note ? { description: note } : undefined,
    };
    if (payee.kind === 'remote-wallet-address') {
      const made = await this.#parts.remote.incomingPayments.create({ ...wanted, walletAddress: payee.walletAddress }, from.id);
      return made.ok ? ok(made.value.url) : refuse({ code: made.error });
    }
    const made = await this.#parts.incomingPayments.create({ ...wanted, id: requestId, client: null, walletAddress: payee.walletAddress });
    return made.ok ? ok(this.#parts.urls.incomingPayment(made.value.id)) : refuse({ code: 'invalid_amount' });
  }
}

/** The asset in which a payee is paid. */
export const assetOf = (payee: Payee): Asset =>
  payee.kind === 'incoming-payment'
    ? payee.asset
    : { assetCode: payee.walletAddress.assetCode, assetScale: payee.walletAddress.assetScale };

const amountOf = (value: bigint, { assetCode, assetScale }: Asset): Amount => ({ value, assetCode, assetScale });

/**
 * The incoming payment that a text names, or that of a paydesk node's payment link. It is undefined for every other
 * text.
 */
function paymentUrl(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) return undefined;
  const [, prefix = '', id = ''] = /^(.*)\/pay\/([^/]+)$/.exec(url.pathname) ?? [];
  if (isId(id)) return `${url.origin}${prefix}/incoming-payments/${id}`;
  return /\/incoming-payments\/[^/]+$/.test(url.pathname) ? text : undefined;
}
