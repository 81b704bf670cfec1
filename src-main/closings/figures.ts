import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import type { ClosingFigures, ClosingPerson, ClosingSource } from '../../src-shared/operator-contract/shop/closings.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { type Gathered, type Moved, noPause, type Sale } from './gathered.ts';
import { type BilledRefund, type BilledSale, shareOf, TaxSums } from './taxes.ts';

const NOTHING: Moved = {
  ...{ sales: 0n, refunds: 0n, sent: 0n, deposits: 0n, withdrawals: 0n },
  salesIds: new Set(),
  refundIds: new Set(),
};

/** The balances of all accounts at the last closing and now, by account. Missing ones are 0. */
export interface Balances {
  opening: ReadonlyMap<string, bigint>;
  closing: ReadonlyMap<string, bigint>;
}

/** The amount that the movements of an account bring, less what they take. */
const effectOf = ({ sales, refunds, sent, deposits, withdrawals }: Moved): bigint => sales + deposits - withdrawals - refunds - sent;

/** The accounts that moved, and those whose balance is not what their movements say. */
export function accountsIn(moved: ReadonlyMap<string, Moved>, { opening, closing }: Balances): string[] {
  const all = new Set([...moved.keys(), ...opening.keys(), ...closing.keys()]);
  return [...all].filter((id) => moved.has(id) || (closing.get(id) ?? 0n) !== (opening.get(id) ?? 0n) + effectOf(moved.get(id) ?? NOTHING));
}

/** The sales of which a part came before the period or is still to come, by the id of the incoming payment. */
export const partlyPaidIn = ({ sales }: Gathered): string[] =>
  [...sales].flatMap(([id, { bill, amount }]) => (bill !== undefined && amount < bill.total ? [id] : []));

/** The sales with a bill of which the shop gave something back in the period. */
export const refundedIn = ({ givenBack }: Gathered): string[] =>
  [...givenBack].flatMap(([id, { bill }]) => (bill === undefined ? [] : [id]));

interface Until {
  balances: Balances;
  /**
   * The amount that has come until now of each sale in {@link partlyPaidIn} and {@link refundedIn}, in smallest units.
   */
  received: ReadonlyMap<string, bigint>;
  /** The amount that was given back until now of each sale in {@link refundedIn}. */
  refunded: ReadonlyMap<string, bigint>;
}

/** The sales after which others may go on, when nobody needs the figures in one write. */
const SALES_AT_ONCE = 1_000;

/**
 * Makes the figures of a closing. The difference of an account is what its movements do not explain.
 * @param pause lets others go on after some sales; not within a write.
 */
export async function figuresOf(
  gathered: Gathered,
  accounts: readonly WalletAddress[],
  until: Until,
  pause = noPause,
): Promise<ClosingFigures> {
  const { balances, received } = until;
  const known = new Map(accounts.map((account) => [account.id, account]));
  const sources = new SumsBy(({ madeBy, app }): Pick<ClosingSource, 'madeBy' | 'app'> => ({ madeBy, app }));
  const people = new SumsBy(({ person }) => (person === undefined ? undefined : { name: person }));
  const [sums, tipsOf] = [new TaxSums(), new PersonalTips()];
  let seen = 0;
  for (const [id, sale] of gathered.sales) {
    seen += 1;
    if (seen % SALES_AT_ONCE === 0) await pause();
    const { accountId, amount, bill, person } = sale;
    const asset = known.get(accountId);
    if (asset === undefined) continue;
    sources.add(sale, asset);
    people.add(sale, asset);
    if (bill === undefined) continue;
    const billed = { asset, bill, before: atLeast0((received.get(id) ?? amount) - amount), amount };
    sums.addSale(billed);
    tipsOf.add(person, billed);
  }
  for (const refund of billedRefunds(gathered, known, until)) sums.addRefund(refund);
  const { taxes, tips } = sums.lists();
  return {
    accounts: accounts.map(({ id, name, publicName, assetCode, assetScale }) => {
      const moved = gathered.accounts.get(id) ?? NOTHING;
      const { sales, refunds, sent, deposits, withdrawals } = moved;
      const [opening, closing] = [balances.opening.get(id) ?? 0n, balances.closing.get(id) ?? 0n];
      const difference = closing - opening - effectOf(moved);
      return {
        ...{ id, name, publicName, assetCode, assetScale, sales, salesCount: moved.salesIds.size },
        ...{ refunds, refundsCount: moved.refundIds.size, sent },
        books: { opening, deposits, withdrawals, closing, difference },
      };
    }),
    sources: sources.list(),
    people: tipsOf.with(people.list()),
    failures: gathered.failures,
    ...(taxes.length > 0 && { taxes }),
    ...(tips.length > 0 && { tips }),
    ...(taxes.length + tips.length > 0 && { refundsAreSplit: true as const }),
  };
}

function* billedRefunds(
  { sales, givenBack }: Gathered,
  accounts: ReadonlyMap<string, Asset>,
  { received, refunded }: Until,
): Generator<BilledRefund> {
  for (const [id, { accountId, amount, bill }] of givenBack) {
    const asset = accounts.get(accountId);
    if (bill === undefined || bill.total === 0n || asset === undefined) continue;
    const after = { received: received.get(id) ?? amount, refunded: refunded.get(id) ?? amount };
    const before = { received: atLeast0(after.received - (sales.get(id)?.amount ?? 0n)), refunded: atLeast0(after.refunded - amount) };
    yield { asset, bill, before, after };
  }
}

const atLeast0 = (value: bigint): bigint => (value > 0n ? value : 0n);

/** The tips in each person's sales. Each sale brings the share of its tip that came. */
class PersonalTips {
  readonly #tips = new Map<string, bigint>();

  add(person: string | undefined, sale: BilledSale): void {
    if (person === undefined) return;
    const key = keyOf(sale.asset, person);
    this.#tips.set(key, (this.#tips.get(key) ?? 0n) + shareOf(sale.bill.tip, sale));
  }

  with(people: readonly ClosingPerson[]): ClosingPerson[] {
    return people.map((person) => {
      const tip = this.#tips.get(keyOf(person, person.name)) ?? 0n;
      return tip === 0n ? person : { ...person, tip };
    });
  }
}

const keyOf = (asset: Asset, name: string) => `${assetKey(asset)} ${name}`;

/** Adds sales up by the name that `nameOf` gives them, for each currency. It leaves out sales without a name. */
class SumsBy<T extends object> {
  readonly #nameOf: (sale: Sale) => T | undefined;
  readonly #sums = new Map<string, T & Asset & { value: bigint; count: number }>();

  constructor(nameOf: (sale: Sale) => T | undefined) {
    this.#nameOf = nameOf;
  }

  add(sale: Sale, { assetCode, assetScale }: Asset): void {
    const name = this.#nameOf(sale);
    if (name === undefined) return;
    const key = `${assetKey({ assetCode, assetScale })} ${JSON.stringify(name)}`;
    const sum = this.#sums.get(key) ?? { ...name, assetCode, assetScale, value: 0n, count: 0 };
    sum.value += sale.amount;
    sum.count += 1;
    this.#sums.set(key, sum);
  }

  list(): (T & Asset & { value: bigint; count: number })[] {
    return [...this.#sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  }
}

const AMOUNTS = new Set([
  'sales',
  'refunds',
  'sent',
  'opening',
  'deposits',
  'withdrawals',
  'closing',
  'difference',
  'value',
  'net',
  'tax',
  'refundedNet',
  'refundedTax',
  'refunded',
  'tip',
]);

/** The figures in the form in which they are stored and hashed. */
export const storedText = (figures: ClosingFigures): string =>
  JSON.stringify(figures, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

/** The figures from {@link storedText}. */
export const figuresFrom = (text: string): ClosingFigures =>
  JSON.parse(text, (name, value: unknown) => (AMOUNTS.has(name) && typeof value === 'string' ? BigInt(value) : value)) as ClosingFigures;
