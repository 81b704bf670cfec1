import type { Asset } from '../../src-shared/amounts.ts';
import { type Bill, type BillAmounts, type BillLine, countBill, MOST_QUANTITY, QUANTITY_PARTS } from '../../src-shared/bills/bill.ts';
import { readTypedNumber, typedAmount } from '../../src-shared/typed-input/typed-amount.ts';
import type { TaxChoice } from '../components/money/tax-choice.ts';

/** A line as it is typed. */
export interface DraftLine {
  readonly key: string;
  readonly text: string;
  readonly quantity: string;
  readonly price: string;
  /** The id of a tax rate, or an empty text for none. */
  readonly rate: string;
}

export const newDraftLine = ({ rates }: TaxChoice): DraftLine => ({
  ...{ key: crypto.randomUUID(), text: '', quantity: '1', price: '' },
  rate: rates.find(({ isDefault }) => isDefault)?.id ?? '',
});

/** Reads a quantity such as `2` or `0,35` in thousandths. It is undefined for anything else, and for zero. */
export function typedQuantity(text: string): number | undefined {
  const read = readTypedNumber(text);
  if (read.kind !== 'value') return undefined;
  const [whole = '', fraction = ''] = read.value.split('.');
  if (fraction.length > 3 || whole.length > 7) return undefined;
  const quantity = Number(whole) * QUANTITY_PARTS + Number(fraction.padEnd(3, '0'));
  return quantity > 0 && quantity <= MOST_QUANTITY ? quantity : undefined;
}

/** The lines as a bill, with what it comes to. It is undefined while something in them is missing or wrong. */
export function typedBill(drafts: readonly DraftLine[], choice: TaxChoice, asset: Asset): { bill: Bill; amounts: BillAmounts } | undefined {
  const lines = drafts.map((draft) => typedLine(draft, choice, asset));
  if (!lines.every((line) => line !== undefined)) return undefined;
  const { pricesIncludeTax, rounding } = choice;
  const bill = { pricesIncludeTax, rounding, lines, tip: 0n };
  const amounts = countBill(bill);
  return amounts === undefined || amounts.total === 0n ? undefined : { bill, amounts };
}

function typedLine({ text, quantity, price, rate }: DraftLine, { rates }: TaxChoice, asset: Asset): BillLine | undefined {
  const [thousandths, unitPrice] = [typedQuantity(quantity), price.trim() === '' ? undefined : typedAmount(price, asset)];
  if (thousandths === undefined || unitPrice === undefined || text.trim() === '') return undefined;
  const tax = rates.find(({ id }) => id === rate);
  return { text: text.trim(), quantity: thousandths, unitPrice, tax: tax === undefined ? null : { name: tax.name, rate: tax.rate } };
}
