import type { Asset } from '../../src-shared/amounts.ts';
import type { ClosingFigures, ClosingPerson, ClosingSource } from '../../src-shared/operator-contract/shop/closings.ts';
import { inParts } from '../ledger/in-parts.ts';
import type { Seller } from '../payments/sellers.ts';
import { RowsBy, type Share, type SoldFigures } from './rows.ts';
import type { GivenBackSale, Sale, Until } from './sale.ts';
import { LINES_AT_ONCE, noPause } from './steps.ts';
import { type Sign, sharesIn, TaxSums } from './taxes.ts';

type Place = Pick<ClosingSource, 'madeBy' | 'app' | 'till'>;
type Person = Pick<ClosingPerson, 'kind' | 'id' | 'name'>;

const placeOf = ({ madeBy, app, till }: Seller): Place => ({ madeBy, app, ...(till !== null && { till }) });

/** The groups of places, of each of which the largest are named: apps come first, and then the places of the shop. */
const [APPS, SHOP, TILLS] = ['1 apps', '2 shop', '3 tills'];
const groupOf = ({ madeBy, till }: Place): string => (madeBy === 'app' ? APPS : till === undefined ? SHOP : TILLS);
const otherPlaces = (group: string): Place =>
  group === TILLS ? { madeBy: 'till', app: null, till: null } : { madeBy: group === APPS ? 'app' : 'desk', app: null };

/** Sales by the id of the incoming payment: what came of them, and what was given back. */
interface Sales {
  readonly sales: ReadonlyMap<string, Sale>;
  readonly givenBack: ReadonlyMap<string, GivenBackSale>;
}

/** The sums of the sales of a period: by place, by person, by account, and of taxes and tips. */
export class SaleSums {
  readonly #sources: RowsBy<Place>;
  readonly #people: RowsBy<Person>;
  readonly #accounts: RowsBy<{ id: string }>;
  readonly #taxes: TaxSums;

  constructor(
    sources = new RowsBy(({ madeBy, app, till }: Place) => JSON.stringify([madeBy, app, till?.id])),
    people = new RowsBy(({ kind, id, name }: Person) => JSON.stringify([kind, id === '' ? name : id])),
    accounts = new RowsBy(({ id }: { id: string }) => id),
    taxes = new TaxSums(),
  ) {
    this.#sources = sources;
    this.#people = people;
    this.#accounts = accounts;
    this.#taxes = taxes;
  }

  /** Sums that begin with these. Nothing may be added to these any more. */
  continued(): SaleSums {
    return new SaleSums(this.#sources.continued(), this.#people.continued(), this.#accounts.continued(), this.#taxes.copy());
  }

  /**
   * Adds what came of a sale in a period, or takes away what was added: so a sale that goes on is counted anew.
   * @param received what has come of it so far, in smallest units
   */
  addCame(sale: Sale, received = sale.amount, sign: Sign = 1n): void {
    const { amount, bill } = sale;
    const parts = bill && sharesIn({ bill, before: atLeast0(received - amount), amount });
    this.#add(sale, { came: { amount, parts }, back: undefined }, sign);
    if (parts !== undefined) this.#taxes.addCame(sale.asset, parts, sign);
  }

  /**
   * The same with what refunds gave back of a sale. It stands where the sale does (decisions.md#D-307).
   * @param refunded what was given back of it so far, in smallest units
   */
  addBack(back: GivenBackSale, refunded = back.amount, sign: Sign = 1n): void {
    const { amount, bill } = back;
    const parts = bill === undefined || bill.total === 0n ? undefined : sharesIn({ bill, before: atLeast0(refunded - amount), amount });
    this.#add(back, { came: undefined, back: { amount, count: back.refunds.size, parts } }, sign);
    if (parts !== undefined) this.#taxes.addBack(back.asset, parts, sign);
  }

  #add(of: Sale, share: Omit<Share, 'asset'>, sign: Sign): void {
    const whole = { asset: of.asset, ...share };
    this.#sources.add(placeOf(of), whole, sign);
    if (of.person !== undefined) this.#people.add(of.person, whole, sign);
    this.#accounts.add({ id: of.accountId }, whole, sign);
  }

  /** Adds all sales that were not added up at once. @param pause lets others go on after some; not within a write */
  async addAll({ sales, givenBack }: Sales, until: Until, pause: () => Promise<void>): Promise<void> {
    for (const some of inParts(sales, LINES_AT_ONCE)) {
      for (const [id, sale] of some) this.addCame(sale, until.received.get(id));
      await pause();
    }
    for (const some of inParts(givenBack, LINES_AT_ONCE)) {
      for (const [id, back] of some) this.addBack(back, until.refunded.get(id));
      await pause();
    }
  }

  /** The figures of the sales of an account, without the amounts. */
  ofAccount({ id, assetCode, assetScale }: Asset & { id: string }): SoldFigures | undefined {
    return this.#accounts.soldBy({ id }, { assetCode, assetScale });
  }

  async lists(pause = noPause): Promise<Pick<ClosingFigures, 'sources' | 'people' | 'taxes' | 'tips' | 'refundsAreSplit'>> {
    const { taxes, tips } = this.#taxes.lists();
    return {
      sources: await this.#sources.list({ groupOf, others: otherPlaces }, pause),
      people: await this.#people.list({ groupOf: () => '', others: () => ({ kind: 'others', name: '' }) }, pause),
      ...(taxes.length > 0 && { taxes }),
      ...(tips.length > 0 && { tips }),
      ...(taxes.length + tips.length > 0 && { refundsAreSplit: true as const }),
    };
  }
}

const atLeast0 = (value: bigint): bigint => (value > 0n ? value : 0n);
