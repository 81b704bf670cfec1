import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import type { ClosingFigures, ClosingPerson, ClosingSource } from '../../src-shared/operator-contract/shop/closings.ts';
import type { Gathered, GivenBackSale, Sale } from './gathered.ts';
import { listSources } from './sources.ts';
import { inParts, LINES_AT_ONCE, noPause } from './steps.ts';
import { type BilledSale, type Sign, shareOf, TaxSums } from './taxes.ts';

/** How far sales are at the end of a period, in smallest units, by the id of the incoming payment. */
export interface Until {
  /** What has come of each sale whose bill is paid in parts, or of which something was given back. */
  readonly received: ReadonlyMap<string, bigint>;
  /** What was given back of each sale. */
  readonly refunded: ReadonlyMap<string, bigint>;
}

/** What moved of one sale in a period. */
interface MovedSale {
  readonly id: string;
  readonly sale: Sale | undefined;
  readonly back: GivenBackSale | undefined;
  readonly until: Until;
}

/** The sums of the sales of a period: by place, by person, and of taxes and tips. */
export class SaleSums {
  readonly #sources: SumsBy<Pick<ClosingSource, 'madeBy' | 'app'>>;
  readonly #people: SumsBy<{ name: string }>;
  readonly #taxes: TaxSums;
  /** The tips in each person's sales. */
  readonly #tips: Map<string, bigint>;

  constructor(
    sources = new SumsBy(({ madeBy, app }: Sale): Pick<ClosingSource, 'madeBy' | 'app'> => ({ madeBy, app })),
    people = new SumsBy(({ person }: Sale) => (person === undefined ? undefined : { name: person })),
    taxes = new TaxSums(),
    tips = new Map<string, bigint>(),
  ) {
    this.#sources = sources;
    this.#people = people;
    this.#taxes = taxes;
    this.#tips = tips;
  }

  /** Sums that begin with these. Nothing may be added to these any more. */
  continued(): SaleSums {
    return new SaleSums(this.#sources.continued(), this.#people.continued(), this.#taxes.copy(), new Map(this.#tips));
  }

  /** Adds what moved of a sale, or takes away what was added: so a sale that has moved since is counted anew. */
  add({ id, sale, back, until: { received, refunded } }: MovedSale, asset: Asset, sign: Sign = 1n): void {
    if (sale !== undefined) {
      const { amount, bill, person } = sale;
      this.#sources.add(sale, asset, sign);
      this.#people.add(sale, asset, sign);
      if (bill !== undefined) {
        const billed = { asset, bill, before: atLeast0((received.get(id) ?? amount) - amount), amount };
        this.#taxes.addSale(billed, sign);
        this.#addTip(person, billed, sign);
      }
    }
    if (back?.bill === undefined || back.bill.total === 0n) return;
    const { amount, bill } = back;
    const after = { received: received.get(id) ?? amount, refunded: refunded.get(id) ?? amount };
    const before = { received: atLeast0(after.received - (sale?.amount ?? 0n)), refunded: atLeast0(after.refunded - amount) };
    this.#taxes.addRefund({ asset, bill, before, after }, sign);
  }

  /** Adds all sales that were gathered. @param pause lets others go on after some sales; not within a write */
  async addAll(gathered: Gathered, accounts: ReadonlyMap<string, Asset>, until: Until, pause: () => Promise<void>): Promise<void> {
    for (const some of inParts(gathered.touched(), LINES_AT_ONCE)) {
      for (const id of some) {
        const [sale, back] = [gathered.sales.get(id), gathered.givenBack.get(id)];
        const asset = accounts.get((sale ?? back)?.accountId ?? '');
        if (asset !== undefined) this.add({ id, sale, back, until }, asset);
      }
      await pause();
    }
  }

  async lists(pause = noPause): Promise<Omit<ClosingFigures, 'accounts' | 'accountCount' | 'failures'>> {
    const { taxes, tips } = this.#taxes.lists();
    return {
      sources: await listSources(this.#sources.all(), pause),
      people: this.#people.list().map((person) => this.#withTip(person)),
      ...(taxes.length > 0 && { taxes }),
      ...(tips.length > 0 && { tips }),
      ...(taxes.length + tips.length > 0 && { refundsAreSplit: true as const }),
    };
  }

  /** Each sale of a person brings the share of its tip that came. */
  #addTip(person: string | undefined, sale: BilledSale, sign: Sign): void {
    if (person === undefined) return;
    const key = keyOf(sale.asset, person);
    this.#tips.set(key, (this.#tips.get(key) ?? 0n) + sign * shareOf(sale.bill.tip, sale));
  }

  #withTip(person: ClosingPerson): ClosingPerson {
    const tip = this.#tips.get(keyOf(person, person.name)) ?? 0n;
    return tip === 0n ? person : { ...person, tip };
  }
}

const atLeast0 = (value: bigint): bigint => (value > 0n ? value : 0n);

const keyOf = (asset: Asset, name: string) => `${assetKey(asset)} ${name}`;

type Sum<T> = T & Asset & { readonly value: bigint; readonly count: number };

/** Adds sales up by the name that `nameOf` gives them, for each currency. It leaves out sales without a name. */
class SumsBy<T extends object> {
  readonly #nameOf: (sale: Sale) => T | undefined;
  /** The sums with which it begins. They are not copied, because there is one for each app. */
  readonly #begun: ReadonlyMap<string, Sum<T>>;
  readonly #sums = new Map<string, Sum<T>>();

  constructor(nameOf: (sale: Sale) => T | undefined, begun: ReadonlyMap<string, Sum<T>> = new Map()) {
    this.#nameOf = nameOf;
    this.#begun = begun;
  }

  continued(): SumsBy<T> {
    return new SumsBy(this.#nameOf, this.#begun.size === 0 ? this.#sums : new Map(this.all()));
  }

  add(sale: Sale, { assetCode, assetScale }: Asset, sign: Sign): void {
    const name = this.#nameOf(sale);
    if (name === undefined) return;
    const key = keyOf({ assetCode, assetScale }, JSON.stringify(name));
    const { value, count } = this.#sums.get(key) ?? this.#begun.get(key) ?? { value: 0n, count: 0 };
    this.#sums.set(key, { ...name, assetCode, assetScale, value: value + sign * sale.amount, count: count + Number(sign) });
  }

  *all(): Generator<[string, Sum<T>]> {
    for (const [key, sum] of this.#begun) yield [key, this.#sums.get(key) ?? sum];
    for (const [key, sum] of this.#sums) if (!this.#begun.has(key)) yield [key, sum];
  }

  list(): Sum<T>[] {
    return [...this.all()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  }
}
