import { managers } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { waitingErrors } from '../console/second-person.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { AmountValue, ForeignAmount, ForeignAsset, Id, MovedValue, RequestId } from '../values.ts';
import { PaymentDetail } from './payment-detail.ts';

/**
 * The payee as typed or pasted: a wallet address, a payment pointer (`$host/name`), a payment link, or the URL of an
 * incoming payment.
 */
const PayeeText = z.string().trim().min(1).max(2048);

export const Payee = z.object({
  kind: z.enum(['wallet-address', 'incoming-payment']),
  /** The URL of the wallet address or of the incoming payment. */
  url: z.url(),
  /** What the payee calls itself; null when the node does not know it. */
  name: z.string().nullable(),
  /** The asset in which the payee is paid. */
  asset: ForeignAsset,
  /** The amount that is still asked for; null when the payer decides. */
  asked: ForeignAmount.nullable(),
  /** Whether the payee is an account of this node. */
  own: z.boolean(),
});
export type Payee = z.infer<typeof Payee>;

export const PaymentQuote = z.object({
  id: Id,
  /** What leaves the account, including all costs. */
  debitAmount: AmountValue,
  /** What arrives at the payee. */
  receiveAmount: ForeignAmount,
  expiresAt: z.date(),
});
export type PaymentQuote = z.infer<typeof PaymentQuote>;

/** Why a wallet cannot be paid. */
export const walletErrors = {
  PAYEE_UNKNOWN: { status: 400, message: texts.payeeUnknown },
  PAYEE_UNREACHABLE: { status: 400, message: texts.payeeUnreachable },
  PAYEE_REFUSED: { status: 400, message: texts.payeeRefused },
  PAYEE_BUSY: { status: 400, message: texts.payeeBusy },
  PAYEE_CLOSED: { status: 409, message: texts.payeeClosed },
};
const payeeErrors = { NOT_FOUND: { status: 404, message: texts.noSuchAccount }, ...walletErrors };
/** Why an amount that was given has no price. */
export const priceErrors = {
  AMOUNT_REFUSED: { status: 400, message: texts.amountRefused },
  AMOUNT_TOO_SMALL: { status: 400, message: texts.amountTooSmall },
  NO_RATE: { status: 400, message: texts.noRate },
  RATE_STALE: { status: 400, message: texts.rateStale },
  NO_LIQUIDITY: { status: 400, message: texts.noLiquidity },
  NO_ROUTE: { status: 400, message: texts.noRoute },
  ROUTE_UNREACHABLE: { status: 400, message: texts.routeUnreachable },
};

/** The operator pays with the same quotes and outgoing payments as apps do. */
export const paying = {
  /** Finds out whom a text names, and what that payee takes. */
  payee: reads(managers, 'Finds out whom a text names, and what that payee takes.')
    .route({ method: 'GET', path: '/payee' })
    .input(z.object({ accountId: Id, payee: PayeeText }))
    .errors(payeeErrors)
    .output(Payee),
  /**
   * Tells what a payment would cost. For a wallet address, the node creates an incoming payment at the payee's wallet.
   */
  quote: reads(managers, 'Tells what a payment would cost. It moves no money.')
    .route({ method: 'POST', path: '/quotes', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        accountId: Id,
        payee: PayeeText,
        /**
         * The caller gives at most one of the two, in smallest units of the account or of the payee. Without both, the
         * payment is what is still asked for.
         */
        send: MovedValue.optional(),
        deliver: MovedValue.optional(),
        /** It is stored on both sides. */
        note: z.string().trim().max(500).optional(),
      }),
    )
    .errors({ ...payeeErrors, AMOUNT_NEEDED: { status: 400, message: texts.amountNeeded }, ...priceErrors })
    .output(PaymentQuote),
  /** Pays a quote. A repeated call with the same `requestId` answers with the payment that the first one made. */
  pay: does(managers, 'payments', 'outgoing_payment.created', 'Pays a quote.')
    .route({ method: 'POST', path: '/payments', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        accountId: Id,
        quoteId: Id,
        note: z.string().trim().max(500).optional(),
        /** Whom the quote was for, as it was typed. A payment that waits for a second person asks this payee anew. */
        payee: PayeeText.optional(),
      }),
    )
    .errors({
      ...payeeErrors,
      AMOUNT_NEEDED: { status: 400, message: texts.amountNeeded },
      ...priceErrors,
      QUOTE_ENDED: { status: 409, message: texts.quoteEnded },
      INSUFFICIENT_BALANCE: { status: 409, message: texts.insufficientBalance },
      ...waitingErrors,
    })
    .output(PaymentDetail),
};
