import type { Amount } from '../../src-shared/amounts.ts';
import type { z } from '../../src-shared/zod.ts';
import type { OnBehalf } from '../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { OutgoingPaymentDocument, QuoteDocument } from './documents.ts';
import type { RemoteGrants, WantedRight } from './remote-grants.ts';
import type { RemoteWalletAddress } from './wallet-directory.ts';
import { gaveNoAnswer, type WalletAnswer, type WalletHttp } from './wallet-http.ts';

/** What to ask another wallet a price for. */
interface WantedRemoteQuote {
  walletAddress: RemoteWalletAddress;
  /** The own wallet address in whose name the node asks. */
  walletAddressId: string;
  /** URL of the incoming payment to be paid. */
  receiver: string;
  /**
   * The caller gives at most one of the two amounts. Without either, the payment brings what the receiver still asks
   * for.
   */
  debitAmount?: Amount | undefined;
  receiveAmount?: Amount | undefined;
  /** The one for whom the node asks. */
  behalf?: OnBehalf;
}

/** Quotes and payments as another wallet describes them. Nothing in them is certain. */
type RemoteQuote = z.infer<typeof QuoteDocument>;
type RemoteOutgoingPayment = z.infer<typeof OutgoingPaymentDocument>;

/**
 * Why there is no answer to use. `unreachable`: there was no usable answer; of a payment nobody then knows whether it
 * was made. `refused`: the other wallet says no.
 */
type RemotePaymentProblem = 'unreachable' | 'refused';

const QUOTE: WantedRight = { type: 'quote', actions: ['create', 'read'] };

interface Parts {
  http: WalletHttp;
  grants: RemoteGrants;
}

/** Makes other wallets pay, within what their owners have allowed (protocol-notes.md#PN-28). */
export class RemotePayments {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async createQuote(wanted: WantedRemoteQuote): Promise<Result<RemoteQuote, RemotePaymentProblem>> {
    const { walletAddress, walletAddressId, receiver, debitAmount, receiveAmount, behalf } = wanted;
    const { authServer, resourceServer } = walletAddress;
    const url = `${resourceServer}/quotes`;
    const body = {
      walletAddress: walletAddress.id,
      receiver,
      method: 'ilp',
      ...(debitAmount && { debitAmount: { ...debitAmount, value: debitAmount.value.toString() } }),
      ...(receiveAmount && { receiveAmount: { ...receiveAmount, value: receiveAmount.value.toString() } }),
    };
    const made = await this.#parts.grants.use(
      { authServer, walletAddressId, right: QUOTE, resource: url, ...(behalf && { behalf }) },
      (token) => this.#parts.http.send({ ...behalf, method: 'POST', url, token, body, walletAddressId }),
    );
    if (!made.ok) return refuse(made.error === 'refused' || made.error === 'unknown_key' ? 'refused' : 'unreachable');
    const quote = read(made, 201, QuoteDocument);
    if (!quote.ok) return quote;
    return isAt(resourceServer, quote.value.id) && quote.value.receiver === receiver ? quote : refuse('unreachable');
  }

  /**
   * Pays a quote with the token that its payer's grant gave. The request is sent once. After `unreachable` the caller
   * may pay the quote again with the same call, because a quote pays once.
   */
  async createOutgoingPayment(wanted: {
    walletAddress: RemoteWalletAddress;
    walletAddressId: string;
    token: string;
    quoteId: string;
    metadata?: Record<string, unknown> | undefined;
  }): Promise<Result<RemoteOutgoingPayment, RemotePaymentProblem>> {
    const { walletAddress, walletAddressId, token, quoteId, metadata } = wanted;
    const { resourceServer } = walletAddress;
    const body = { walletAddress: walletAddress.id, quoteId, ...(metadata && { metadata }) };
    const url = `${resourceServer}/outgoing-payments`;
    const payment = read(await this.#parts.http.send({ method: 'POST', url, token, body, walletAddressId }), 201, OutgoingPaymentDocument);
    if (!payment.ok) return payment;
    return isAt(resourceServer, payment.value.id) ? payment : refuse('unreachable');
  }

  /**
   * Reads how far a payment has come. It is done when `sentAmount` has reached `debitAmount` and `failed` is not set
   * (protocol-notes.md#PN-27).
   */
  async getOutgoingPayment(wanted: {
    url: string;
    walletAddressId: string;
    token: string;
  }): Promise<Result<RemoteOutgoingPayment, RemotePaymentProblem>> {
    const payment = read(await this.#parts.http.send({ method: 'GET', ...wanted }), 200, OutgoingPaymentDocument);
    if (!payment.ok) return payment;
    return payment.value.id === wanted.url ? payment : refuse('unreachable');
  }
}

function read<T>(answer: WalletAnswer, status: number, document: z.ZodType<T>): Result<T, RemotePaymentProblem> {
  if (gaveNoAnswer(answer) || !answer.ok) return refuse('unreachable');
  if (answer.value.status !== status) return refuse('refused');
  const parsed = document.safeParse(answer.value.body);
  return parsed.success ? ok(parsed.data) : refuse('unreachable');
}

/** Whether a resource lies at its server. Otherwise the token would go elsewhere. */
const isAt = (resourceServer: string, url: string): boolean => url.startsWith(`${resourceServer}/`);
