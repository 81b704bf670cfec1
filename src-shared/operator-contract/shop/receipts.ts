import { everyone, till } from '../../people/roles.ts';
import { PAPER_NAMES } from '../../receipts/papers.ts';
import { RECEIPT_KINDS, ReceiptContent } from '../../receipts/receipt-content.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { Id, Units } from '../values.ts';

const Of = z.object({
  kind: z.enum(RECEIPT_KINDS),
  /** The id of the received payment of a sale, or of the refund. */
  id: Id,
});

const Receipt = Of.extend({
  /** The public page that shows it to whoever has the link. */
  link: z.url(),
  /** How often it was printed: in a browser, or by the receipt printer. */
  printed: z.number().int().min(0),
  /** Who paid, where it is proven. It is null for a caller who may not see that. */
  payers: z.array(z.object({ walletAddress: z.string(), amount: Units })).nullable(),
  /** What it says. It is null when somebody has changed the stored receipt, so that nobody knows any more. */
  content: ReceiptContent.nullable(),
});
export type Receipt = z.infer<typeof Receipt>;

/** The shop hands over receipts. A cashier gets those of payment requests. */
export const receipts = {
  /** Issues the receipt, or answers with the one that was issued before. */
  issue: does(
    till,
    'payments',
    'receipt.issued',
    'The receipt of a received payment or of a refund. The first call issues it, with the next number.',
  )
    .route({ method: 'POST', path: '/receipts', successStatus: 201 })
    .input(Of)
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchPayment },
      NOTHING_RECEIVED: { status: 409, message: texts.nothingReceived },
      STILL_OPEN: { status: 409, message: texts.paymentStillOpen },
      REFUND_NOT_DONE: { status: 409, message: texts.refundNotDone },
    })
    .output(Receipt),
  get: reads(everyone, 'The receipt of a payment or refund, as it was issued.')
    .route({ method: 'GET', path: '/receipts/{kind}/{id}' })
    .input(Of)
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchReceipt } })
    .output(Receipt),
  /** The receipt as a PDF file. The same receipt is the same file. It says *Copy* once it has been printed. */
  pdf: reads(everyone, 'The receipt of a payment or refund as a PDF file.')
    .route({ method: 'GET', path: '/receipts/{kind}/{id}/pdf' })
    .input(
      Of.extend({
        /** The language of its words (BCP 47). English takes the place of one that nobody speaks here. */
        language: z.string().max(35).default('en'),
        /** The paper: A4, or a roll of 80 or 58 mm, on which the page is as long as the receipt. */
        paper: z.enum(PAPER_NAMES).default('a4'),
      }),
    )
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchReceipt } })
    .output(
      z.object({
        fileName: z.string(),
        /** The bytes of the file, in base64. */
        base64: z.string(),
      }),
    ),
  /** Counts that it is printed. The paper is the original when `printed` is 1 then, and a copy otherwise. */
  print: does(till, 'payments', 'receipt.printed', 'Counts that a receipt is printed. Every paper after the first is a copy.')
    .route({ method: 'POST', path: '/receipts/{kind}/{id}/print' })
    .input(Of)
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchReceipt } })
    .output(Receipt),
};
