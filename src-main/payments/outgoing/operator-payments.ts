import { hash } from 'node:crypto';
import { type Amount, type Asset, sameAsset } from '../../../src-shared/amounts.ts';
import type { Clock } from '../../platform/clock.ts';
import { isId } from '../../platform/ids.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { RemoteIncomingPayments } from '../../remote-wallets/remote-incoming-payments.ts';
import { type RemoteWalletAddress, type WalletDirectory, walletAddressUrl } from '../../remote-wallets/wallet-directory.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import type { IncomingPayments } from '../incoming/incoming-payments.ts';
import type { Quote, QuoteProblem, Quotes } from '../quotes/quotes.ts';
import { type ReceiverProblem, type Receivers, receiverRemaining } from '../quotes/receivers.ts';
import type { OutgoingPaymentProblem } from './funding.ts';
import type { OutgoingPayment } from './outgoing-payment-rows.ts';
import type { OutgoingPayments } from './outgoing-payments.ts';

/** Who is behind what the operator typed or pasted. */
export type Payee =
  | { kind: 'incoming-payment'; url: string; name: string | null; asset: Asset; asked: bigint | undefined; own: boolean }
  | { kind: 'own-account'; url: string; walletAddress: WalletAddress }
  | { kind: 'remote-account'; url: string; walletAddress: RemoteWalletAddress };

export interface WantedQuote {
  /** Made once per intention. */
  requestId: string;
  from: WalletAddress;
  payee: string;
  /** In the account's asset, or in the payee's; neither for what is still asked for. */
  send?: bigint | undefined;
  deliver?: bigint | undefined;
  note?: string | undefined;
}

/** `amount_needed`: the payee asks for no amount of its own. */
export type OperatorQuoteProblem = QuoteProblem | { code: 'amount_needed' };

/** How long the payee's wallet expects a payment that was quoted to a wallet address: a quote's life and a payment's. */
const EXPECTED_MS = 15 * 60_000;

/** Where other wallets are found, and asked for an incoming payment. */
interface OtherWallets {
  directory: Pick<WalletDirectory, 'find'>;
  incomingPayments: Pick<RemoteIncomingPayments, 'create'>;
}

/** Payments that the operator makes: by the same quotes and the same funding as those of apps, without a grant. */
export class OperatorPayments {
  readonly #urls: PublicUrls;
  readonly #clock: Clock;
  readonly #walletAddresses: WalletAddresses;
  readonly #incomingPayments: IncomingPayments;
  readonly #remote: OtherWallets;
  readonly #receivers: Receivers;
  readonly #quotes: Quotes;
  readonly #outgoingPayments: OutgoingPayments;

  constructor(parts: {
    urls: PublicUrls;
    clock: Clock;
    walletAddresses: WalletAddresses;
    incomingPayments: IncomingPayments;
    remote: OtherWallets;
    receivers: Receivers;
    quotes: Quotes;
    outgoingPayments: OutgoingPayments;
  }) {
    this.#urls = parts.urls;
    this.#clock = parts.clock;
    this.#walletAddresses = parts.walletAddresses;
    this.#incomingPayments = parts.incomingPayments;
    this.#remote = parts.remote;
    this.#receivers = parts.receivers;
    this.#quotes = parts.quotes;
    this.#outgoingPayments = parts.outgoingPayments;
  }

  /** @param text a wallet address, a payment pointer, a payment link of a paydesk node, or an incoming payment's URL. */
  async find(text: string, from: WalletAddress): Promise<Result<Payee, ReceiverProblem>> {
    const payment = paymentUrl(text.trim());
    if (payment !== undefined) return await this.#findPayment(payment, from);
    const url = walletAddressUrl(text);
    if (url === undefined) return refuse('unknown_receiver');
    if (this.#urls.parse(url)?.kind === 'wallet-address') {
      const walletAddress = await this.#walletAddresses.byUrl(url);
      if (walletAddress === undefined) return refuse('unknown_receiver');
      return ok({ kind: 'own-account', url: this.#walletAddresses.urlOf(walletAddress), walletAddress });
    }
    const found = await this.#remote.directory.find(text);
    if (!found.ok) return refuse(found.error === 'wallet_unreachable' ? 'receiver_unreachable' : 'unknown_receiver');
    return ok({ kind: 'remote-account', url: found.value.id, walletAddress: found.value });
  }

  /** The price of paying. A payee that is an account is asked to expect the payment first: a quote is for an incoming payment. */
  async quote(wanted: WantedQuote): Promise<Result<Quote, OperatorQuoteProblem>> {
    const { from, send, deliver } = wanted;
    const payee = await this.find(wanted.payee, from);
    if (!payee.ok) return refuse({ code: payee.error });
    const asset = assetOf(payee.value);
    const asked = payee.value.kind === 'incoming-payment' ? payee.value.asked : undefined;
    if (send === undefined && deliver === undefined && asked === undefined) return refuse({ code: 'amount_needed' });
    const receiver = await this.#receiverOf(payee.value, wanted);
    if (!receiver.ok) return receiver;
    return await this.#quotes.create({
      walletAddress: from,
      client: null,
      receiver: receiver.value,
      debitAmount: send === undefined ? undefined : amountOf(send, from),
      receiveAmount: deliver === undefined ? undefined : amountOf(deliver, asset),
    });
  }

  /** @param requestId made once per intention: the same again answers with the payment it made. */
  async pay({
    requestId,
    from,
    quoteId,
    note,
  }: {
    requestId: string;
    from: WalletAddress;
    quoteId: string;
    note?: string | undefined;
  }): Promise<Result<OutgoingPayment, OutgoingPaymentProblem>> {
    return await this.#outgoingPayments.createFromQuote({
      walletAddress: from,
      right: null,
      quoteId,
      metadata: note ? { description: note } : undefined,
      requestHash: hash('sha256', `operator ${requestId}`, 'base64url'),
    });
  }

  async #findPayment(url: string, from: WalletAddress): Promise<Result<Payee, ReceiverProblem>> {
    const found = await this.#receivers.resolve(url, { client: null, walletAddressId: from.id });
    if (!found.ok) return found;
    const receiver = found.value;
    const account = receiver.kind === 'own' ? await this.#walletAddresses.byId(receiver.incomingPayment.walletAddressId) : undefined;
    return ok({
      kind: 'incoming-payment',
      url,
      name: account?.publicName ?? null,
      asset: receiver.asset,
      asked: receiverRemaining(receiver),
      own: receiver.kind === 'own',
    });
  }

  /** The incoming payment to pay. One made for this asks for the amount, as far as it is known before the price. */
  async #receiverOf(payee: Payee, { requestId, from, send, deliver, note }: WantedQuote): Promise<Result<string, OperatorQuoteProblem>> {
    if (payee.kind === 'incoming-payment') return ok(payee.url);
    const asset = assetOf(payee);
    const value = deliver ?? (sameAsset(asset, from) ? send : undefined);
    const wanted = {
      incomingAmount: value === undefined ? undefined : amountOf(value, asset),
      expiresAt: this.#clock.now() + EXPECTED_MS,
      metadata: note ? { description: note } : undefined,
    };
    if (payee.kind === 'remote-account') {
      const made = await this.#remote.incomingPayments.create({ ...wanted, walletAddress: payee.walletAddress }, from.id);
      return made.ok ? ok(made.value.url) : refuse({ code: made.error });
    }
    const made = await this.#incomingPayments.create({ ...wanted, id: requestId, client: null, walletAddress: payee.walletAddress });
    return made.ok ? ok(this.#urls.incomingPayment(made.value.id)) : refuse({ code: 'invalid_amount' });
  }
}

/** The asset in which a payee is paid. */
export const assetOf = (payee: Payee): Asset =>
  payee.kind === 'incoming-payment'
    ? payee.asset
    : { assetCode: payee.walletAddress.assetCode, assetScale: payee.walletAddress.assetScale };

const amountOf = (value: bigint, { assetCode, assetScale }: Asset): Amount => ({ value, assetCode, assetScale });

/** The incoming payment that a text names, or that the payment link of a paydesk node leads to; undefined for everything else. */
function paymentUrl(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) return undefined;
  const [, prefix = '', id = ''] = /^(.*)\/pay\/([^/]+)$/.exec(url.pathname) ?? [];
  if (isId(id)) return `${url.origin}${prefix}/incoming-payments/${id}`;
  return /\/incoming-payments\/[^/]+$/.test(url.pathname) ? text : undefined;
}
