import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import type { ClosingPart } from '../../src-shared/operator-contract/shop/closings.ts';
import { inParts } from '../ledger/in-parts.ts';
import { LINES_AT_ONCE } from './steps.ts';
import { type Shares, type Sign, TaxSums } from './taxes.ts';

/** The number of apps, of tills and of persons that a closing names in each currency. */
const MOST_NAMED = 100;

/** What one sale moved in a period. */
export interface Share {
  readonly asset: Asset;
  /** What came, and its parts where the sale has a bill. */
  readonly came: { readonly amount: bigint; readonly parts: Shares | undefined } | undefined;
  /** What refunds gave back, how many they were, and its parts. */
  readonly back: { readonly amount: bigint; readonly count: number; readonly parts: Shares | undefined } | undefined;
}

/** The figures of a row, without its name. */
type Figures = Omit<ClosingPart, keyof Asset>;
/** How many sales a row has, how many refunds, and what follows from their bills. */
export type SoldFigures = Pick<Figures, 'count' | 'refundedCount' | 'tip' | 'refundedTip' | 'taxes'>;

/** The sums of one row. */
class Row {
  readonly asset: Asset;
  value = 0n;
  #count = 0;
  #refunded = 0n;
  #refundedCount = 0;
  /** It is made for the first bill: most apps have none. */
  #taxes: TaxSums | undefined;

  constructor({ assetCode, assetScale }: Asset) {
    this.asset = { assetCode, assetScale };
  }

  copy(): Row {
    const made = new Row(this.asset);
    made.addAll(this);
    return made;
  }

  add({ came, back }: Share, sign: Sign): void {
    if (came !== undefined) {
      this.value += sign * came.amount;
      this.#count += Number(sign);
      if (came.parts !== undefined) this.#taxed().addCame(this.asset, came.parts, sign);
    }
    if (back === undefined) return;
    this.#refunded += sign * back.amount;
    this.#refundedCount += Number(sign) * back.count;
    if (back.parts !== undefined) this.#taxed().addBack(this.asset, back.parts, sign);
  }

  addAll(other: Row): void {
    this.value += other.value;
    this.#count += other.#count;
    this.#refunded += other.#refunded;
    this.#refundedCount += other.#refundedCount;
    if (other.#taxes !== undefined) this.#taxed().addAll(other.#taxes);
  }

  figures(): Figures {
    const refunded = this.#refundedCount !== 0 && { refunded: this.#refunded };
    return { value: this.value, ...refunded, ...this.sold() };
  }

  /** The figures without the amounts. */
  sold(): SoldFigures {
    return {
      count: this.#count,
      ...(this.#refundedCount !== 0 && { refundedCount: this.#refundedCount }),
      ...this.#parts(),
    };
  }

  #parts(): Omit<SoldFigures, 'count'> {
    if (this.#taxes === undefined) return {};
    const { taxes, tips } = this.#taxes.lists();
    const { value: tip = 0n, refunded: refundedTip = 0n } = tips[0] ?? {};
    return {
      ...(tip !== 0n && { tip }),
      ...(refundedTip !== 0n && { refundedTip }),
      ...(taxes.length > 0 && { taxes: taxes.map(({ assetCode, assetScale, ...tax }) => tax) }),
    };
  }

  #taxed(): TaxSums {
    this.#taxes ??= new TaxSums();
    return this.#taxes;
  }
}

/** A name, the currency, and the sums. */
type Named<T> = readonly [name: T, row: Row];

/** Keeps the rows that brought most, in their order, and adds up the others. */
class Largest<T> {
  readonly #named: { readonly key: string; readonly named: Named<T> }[] = [];
  readonly #othersName: T;
  #others: Row | undefined;

  constructor(othersName: T) {
    this.#othersName = othersName;
  }

  /** Adds a row. If two brought as much, the one with the first name comes first. */
  add(key: string, named: Named<T>): void {
    const { value } = named[1];
    const isBefore = (one: { key: string; named: Named<T> }) =>
      one.named[1].value > value || (one.named[1].value === value && one.key < key);
    this.#named.splice(this.#named.findLastIndex(isBefore) + 1, 0, { key, named });
    const least = this.#named.length > MOST_NAMED ? this.#named.pop() : undefined;
    if (least === undefined) return;
    this.#others ??= new Row(named[1].asset);
    this.#others.addAll(least.named[1]);
  }

  list(): Named<T>[] {
    const named = this.#named.map((one) => one.named);
    return this.#others === undefined ? named : [...named, [this.#othersName, this.#others]];
  }
}

/** Adds sales up by what tells them apart, for each currency. */
export class RowsBy<T extends object> {
  readonly #keyOf: (name: T) => string;
  /** The sums with which it begins. They are not copied before they change, because there is one for each app. */
  readonly #begun: ReadonlyMap<string, Named<T>>;
  readonly #rows = new Map<string, Named<T>>();

  constructor(keyOf: (name: T) => string, begun: ReadonlyMap<string, Named<T>> = new Map()) {
    this.#keyOf = keyOf;
    this.#begun = begun;
  }

  continued(): RowsBy<T> {
    return new RowsBy(this.#keyOf, this.#begun.size === 0 ? this.#rows : new Map(this.#all()));
  }

  add(name: T, share: Share, sign: Sign): void {
    const key = `${assetKey(share.asset)} ${this.#keyOf(name)}`;
    const row = this.#rows.get(key)?.[1] ?? this.#begun.get(key)?.[1].copy() ?? new Row(share.asset);
    row.add(share, sign);
    this.#rows.set(key, [name, row]);
  }

  /** The figures in the row of a name, without the amounts. They are undefined when it has no row. */
  soldBy(name: T, asset: Asset): SoldFigures | undefined {
    const key = `${assetKey(asset)} ${this.#keyOf(name)}`;
    return (this.#rows.get(key) ?? this.#begun.get(key))?.[1].sold();
  }

  /**
   * Lists the rows: for each currency those that brought most, and the sum of the others.
   * @param groupOf rows of one group are counted together; the groups are in the order of these names
   * @param others the name of all further rows of a group
   */
  async list(
    { groupOf, others }: { groupOf: (name: T) => string; others: (group: string) => T },
    pause: () => Promise<void>,
  ): Promise<(T & ClosingPart)[]> {
    const groups = new Map<string, Largest<T>>();
    for (const some of inParts(this.#all(), LINES_AT_ONCE)) {
      for (const [key, named] of some) {
        const group = `${assetKey(named[1].asset)} ${groupOf(named[0])}`;
        const largest = groups.get(group) ?? new Largest(others(groupOf(named[0])));
        groups.set(group, largest);
        largest.add(key, named);
      }
      await pause();
    }
    const inOrder = [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
    return inOrder.flatMap(([, largest]) => largest.list().map(([name, row]) => ({ ...name, ...row.asset, ...row.figures() })));
  }

  *#all(): Generator<[string, Named<T>]> {
    for (const [key, named] of this.#begun) yield [key, this.#rows.get(key) ?? named];
    for (const [key, named] of this.#rows) if (!this.#begun.has(key)) yield [key, named];
  }
}
