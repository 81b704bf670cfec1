import { type Amount, type Asset, parseUint64 } from '../../../src-shared/amounts.ts';
import type { IncomingPayment } from '../../payments/incoming/incoming-payments.ts';
import type { Page } from '../../payments/list-pages.ts';
import { type OutgoingPayment, receiveAsset } from '../../payments/outgoing/outgoing-payment-rows.ts';
import type { Quote } from '../../payments/quotes/quotes.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import type { UpdatedAtInBody } from '../../platform/settings/config.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';

/** An amount in the form of the API. */
interface WireAmount {
  value: string;
  assetCode: string;
  assetScale: number;
}

export const wireAmount = (value: bigint, { assetCode, assetScale }: Asset): WireAmount => ({
  value: value.toString(),
  assetCode,
  assetScale,
});

/** Reads an amount of a request. @throws RangeError for a value that a schema should have refused. */
export function readAmount({ value, assetCode, assetScale }: WireAmount): Amount {
  const parsed = parseUint64(value);
  if (parsed === undefined) throw new RangeError('an amount that was not validated');
  return { value: parsed, assetCode, assetScale };
}

const time = (at: number): string => new Date(at).toISOString();

/** The moment of the last change as an HTTP date, which has whole seconds (decisions.md#D-10). */
export const lastModified = ({ updatedAt }: { updatedAt: number }): string => new Date(updatedAt).toUTCString();

export interface IlpMethod {
  type: 'ilp';
  ilpAddress: string;
  sharedSecret: string;
}

/**
 * The answer for which a representation is made. Official clients accept other members in each
 * (protocol-notes.md#PN-02).
 */
type Occasion = 'created' | 'read' | 'listed' | 'completed';

/** Turns stored rows into the JSON that clients get. It leaves absent members out (decisions.md#D-11). */
export class Representations {
  readonly #urls: PublicUrls;
  readonly #updatedAtInBody: UpdatedAtInBody;

  constructor(urls: PublicUrls, updatedAtInBody: UpdatedAtInBody) {
    this.#urls = urls;
    this.#updatedAtInBody = updatedAtInBody;
  }

  /** @param host where the client asked. The `id` is the identifier that it used, also under a former origin. */
  walletAddress(walletAddress: WalletAddress, host: string | undefined) {
    const { name, publicName, assetCode, assetScale } = walletAddress;
    return {
      id: this.#urls.walletAddress(name, this.#urls.originAt(host)),
      publicName,
      assetCode,
      assetScale,
      authServer: this.#urls.authServer,
      resourceServer: this.#urls.origin,
    };
  }

  /** An incoming payment without `methods`, which only some answers have. */
  incomingPayment(payment: IncomingPayment, walletAddress: WalletAddress, occasion: Occasion) {
    const inBody = occasion === 'created' || occasion === 'read' || this.#updatedAtInBody === 'always';
    return {
      id: this.#urls.incomingPayment(payment.id),
      walletAddress: this.#urls.walletAddress(walletAddress.name),
      completed: payment.completed,
      ...(payment.incomingAmount !== null && { incomingAmount: wireAmount(payment.incomingAmount, walletAddress) }),
      receivedAmount: wireAmount(payment.received, walletAddress),
      ...(payment.expiresAt !== null && { expiresAt: time(payment.expiresAt) }),
      ...(payment.metadata !== null && { metadata: payment.metadata }),
      createdAt: time(payment.createdAt),
      ...(inBody && { updatedAt: time(payment.updatedAt) }),
    };
  }

  /** The part of an incoming payment that everybody may see. */
  publicIncomingPayment(payment: IncomingPayment, walletAddress: WalletAddress) {
    return { receivedAmount: wireAmount(payment.received, walletAddress), authServer: this.#urls.authServer };
  }

  outgoingPayment(payment: OutgoingPayment, walletAddress: WalletAddress, occasion: Occasion) {
    const inBody = occasion === 'created' || this.#updatedAtInBody === 'always';
    const spent = occasion === 'created' && payment.grantSpentDebit !== null && payment.grantSpentReceive !== null;
    return {
      id: this.#urls.outgoingPayment(payment.id),
      walletAddress: this.#urls.walletAddress(walletAddress.name),
      quoteId: this.#urls.quote(payment.quoteId),
      failed: payment.state === 'failed',
      receiver: payment.receiver,
      receiveAmount: wireAmount(payment.receiveAmount, receiveAsset(payment)),
      debitAmount: wireAmount(payment.debitAmount, walletAddress),
      sentAmount: wireAmount(payment.sent, walletAddress),
      ...(spent && {
        grantSpentDebitAmount: wireAmount(payment.grantSpentDebit ?? 0n, walletAddress),
        grantSpentReceiveAmount: wireAmount(payment.grantSpentReceive ?? 0n, receiveAsset(payment)),
      }),
      ...(payment.metadata !== null && { metadata: payment.metadata }),
      createdAt: time(payment.createdAt),
      ...(inBody && { updatedAt: time(payment.updatedAt) }),
    };
  }

  quote(quote: Quote, walletAddress: WalletAddress) {
    return {
      id: this.#urls.quote(quote.id),
      walletAddress: this.#urls.walletAddress(walletAddress.name),
      receiver: quote.receiver,
      receiveAmount: wireAmount(quote.receiveAmount, receiveAsset(quote)),
      debitAmount: wireAmount(quote.debitAmount, walletAddress),
      method: 'ilp' as const,
      createdAt: time(quote.createdAt),
      expiresAt: time(quote.expiresAt),
    };
  }
}

/** A page of a list in the form of the API. Its cursors are the ids of its first and last item. */
export function pageOf<T extends { id: string }, R>(page: Page<T>, represent: (item: T) => R) {
  const [first, last] = [page.items.at(0), page.items.at(-1)];
  return {
    pagination: {
      ...(first && last && { startCursor: first.id, endCursor: last.id }),
      hasNextPage: page.hasNextPage,
      hasPreviousPage: page.hasPreviousPage,
    },
    result: page.items.map(represent),
  };
}
