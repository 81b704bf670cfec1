import type { Receipt } from '../../../../src-shared/operator-contract/shop/receipts.ts';
import { receiptLogo } from '../../../receipts/pdf/receipt-logo.ts';
import { receiptPdf } from '../../../receipts/pdf/receipt-pdf.ts';
import type { IssuedReceipt, ReceiptOf } from '../../../receipts/receipts.ts';
import { languageOf, statementWords } from '../../../statements/statement-words.ts';
import type { OperatorContext } from '../../context.ts';
import { readsPayments } from '../../people/narrowed.ts';
import { requestInReach } from '../../queries/payments/requests-in-reach.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.receipts;

const PROBLEMS = {
  not_found: 'NOT_FOUND',
  nothing_received: 'NOTHING_RECEIVED',
  still_open: 'STILL_OPEN',
  refund_not_done: 'REFUND_NOT_DONE',
} as const;

/** Without the right to read payments a caller sees payment requests only; a cashier sees no refunds either. */
export async function mayBeSeen(context: OperatorContext, { kind, id }: ReceiptOf): Promise<boolean> {
  if (readsPayments(context)) return true;
  if (kind === 'refund') return context.role !== 'cashier';
  return (await requestInReach(context, id)) !== undefined;
}

const shown = (context: OperatorContext, { kind, id, secret, printed, payers, content }: IssuedReceipt): Receipt => ({
  ...{ kind, id, printed, link: context.urls.receipt(secret), content: content ?? null },
  payers: readsPayments(context) ? payers.map(({ walletAddress, amount }) => ({ walletAddress, amount: BigInt(amount) })) : null,
});

export const receiptsHandlers = os.router({
  issue: os.issue.handler(async ({ context, input, errors }) => {
    if (!(await mayBeSeen(context, input))) throw errors.NOT_FOUND();
    const issued = await context.receipts.issue(input);
    if (!issued.ok) throw errors[PROBLEMS[issued.error]]();
    return shown(context, issued.value);
  }),
  get: os.get.handler(async ({ context, input, errors }) => {
    const found = (await mayBeSeen(context, input)) ? await context.receipts.find(input) : undefined;
    if (found === undefined) throw errors.NOT_FOUND();
    return shown(context, found);
  }),
  pdf: os.pdf.handler(async ({ context, input: { language, paper, ...of }, errors }) => {
    const found = (await mayBeSeen(context, of)) ? await context.receipts.find(of) : undefined;
    if (found?.content === undefined) throw errors.NOT_FOUND();
    const { content, secret, printed } = found;
    const tag = languageOf(language);
    await statementWords(tag);
    const logo = await receiptLogo(context.database.read, content.shop.logo);
    const link = context.urls.receipt(secret);
    const pdf = await receiptPdf({ content, link, isCopy: printed > 0, logo, paper }, tag);
    return { fileName: `${content.number}.pdf`, base64: pdf.toString('base64') };
  }),
  print: os.print.handler(async ({ context, input, errors }) => {
    const printed = (await mayBeSeen(context, input)) ? await context.receipts.notePrint(input) : undefined;
    if (printed === undefined) throw errors.NOT_FOUND();
    return shown(context, printed);
  }),
});
