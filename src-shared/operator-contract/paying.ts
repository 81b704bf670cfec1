import { z } from 'zod';
import { does, reads } from './operation.ts';
import { PaymentDetail } from './payment-detail.ts';
import { AmountValue, ForeignAmount, ForeignAsset, Id, MovedValue, RequestId } from './values.ts';

/** Who is to be paid, as typed or pasted: a wallet address, a payment pointer (`$host/name`), a payment link or an incoming payment's URL. */
const PayeeText = z.string().trim().min(1).max(2048);

export const Payee = z.object({
  kind: z.enum(['wallet-address', 'incoming-payment']),
  /** The wallet address, or the incoming payment. */
  url: z.url(),
  /** What the payee calls itself; null where nothing is known. */
  name: z.string().nullable(),
  /** In which it is paid. */
  asset: ForeignAsset,
  /** What is still asked for; null when the payer decides. */
  asked: ForeignAmount.nullable(),
  /** Whether it is an account of this node. */
  own: z.boolean(),
});
export type Payee = z.infer<typeof Payee>;

export const PaymentQuote = z.object({
  id: Id,
  /** What leaves the account, all costs included. */
  debitAmount: AmountValue,
  /** What arrives. */
  receiveAmount: ForeignAmount,
  expiresAt: z.date(),
});
export type PaymentQuote = z.infer<typeof PaymentQuote>;

const payeeErrors = {
  NOT_FOUND: { status: 404, message: 'There is no such account.' },
  PAYEE_UNKNOWN: { status: 400, message: 'This is no wallet address and no payment link, or nothing is there.' },
  PAYEE_UNREACHABLE: { status: 400, message: 'The other wallet does not answer.' },
  PAYEE_REFUSED: { status: 400, message: 'The other wallet does not let this node pay.' },
  PAYEE_BUSY: { status: 400, message: 'The other wallet is being asked too much. Try again in a moment.' },
  PAYEE_CLOSED: { status: 409, message: 'It has been paid or has expired and takes no more money.' },
};
const priceErrors = {
  AMOUNT_NEEDED: { status: 400, message: 'It asks for no amount of its own: say how much.' },
  AMOUNT_REFUSED: { status: 400, message: 'This is not an amount that can be paid, or more than the payee takes.' },
  AMOUNT_TOO_SMALL: { status: 400, message: 'So little would arrive as nothing.' },
  NO_RATE: { status: 400, message: 'There is no rate between the two currencies.' },
  RATE_STALE: { status: 400, message: 'The rate between the two currencies is too old.' },
  NO_LIQUIDITY: { status: 400, message: 'This node has not enough of the other currency to exchange.' },
  NO_ROUTE: { status: 400, message: 'No peer leads to the other wallet.' },
  ROUTE_UNREACHABLE: { status: 400, message: 'The way to the other wallet does not answer.' },
};

/** Paying as the operator, by the same quotes and payments as apps. */
export const paying = {
  /** Who is behind a text, and what it takes. */
  payee: reads
    .route({ method: 'GET', path: '/payee' })
    .input(z.object({ accountId: Id, payee: PayeeText }))
    .errors(payeeErrors)
    .output(Payee),
  /** What a payment would cost. For a wallet address the payee's wallet is asked to expect it. */
  quote: reads
    .route({ method: 'POST', path: '/quotes', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        accountId: Id,
        payee: PayeeText,
        /** At most one of the two, in smallest units of the account or of the payee; neither pays what is still asked for. */
        send: MovedValue.optional(),
        deliver: MovedValue.optional(),
        /** For both sides' books. */
        note: z.string().trim().max(500).optional(),
      }),
    )
    .errors({ ...payeeErrors, ...priceErrors })
    .output(PaymentQuote),
  /** Pays a quote. The same request again answers with the payment it made. */
  pay: does('payments', 'outgoing_payment.created')
    .route({ method: 'POST', path: '/payments', successStatus: 201 })
    .input(z.object({ requestId: RequestId, accountId: Id, quoteId: Id, note: z.string().trim().max(500).optional() }))
    .errors({
      ...payeeErrors,
      ...priceErrors,
      QUOTE_ENDED: { status: 409, message: 'The quote has expired or was used. Ask for a new one.' },
      INSUFFICIENT_BALANCE: { status: 409, message: 'There is not that much in the account.' },
    })
    .output(PaymentDetail),
};
