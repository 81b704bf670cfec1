import type { Asset } from '../../src-shared/amounts.ts';
import type { ClosingFigures, ClosingPerson, ClosingSource } from '../../src-shared/operator-contract/shop/closings.ts';
import { inParts } from '../ledger/in-parts.ts';
import type { Seller } from '../payments/sellers.ts';
import type { Gathered, GivenBackSale, Sale } from './gathered.ts';
import { RowsBy, type Share, type SoldParts } from './rows.ts';
import { LINES_AT_ONCE, noPause } from './steps.ts';
import { type Sign, sharesBackIn, sharesIn, TaxSums } from './taxes.ts';

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

type Place = Pick<ClosingSource, 'madeBy' | 'app' | 'till'>;
type Person = Pick<ClosingPerson, 'kind' | 'id' | 'name'>;

const placeOf = ({ madeBy, app, till }: Seller): Place => ({ madeBy, app, ...(till !== null && { till }) });

/** The groups of places, of each of which the largest are named: apps come first, and then the places of the shop. */
const [APPS, SHOP, TILLS] = ['1 apps', '2 shop', '3 tills'];
const groupOf = ({ madeBy, till }: Place): string => (madeBy === 'app' ? APPS : till === undefined ? SHOP : TILLS);
const otherPlaces = (group: string): Place =>
  group === TILLS ? { madeBy: 'till', app: null, till: null } : { madeBy: group === APPS ? 'app' : 'desk', app: null };

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
   * Adds what moved of a sale, or takes away what was added: so a sale that has moved since is counted anew. What
   * refunds gave back stands where the sale does (decisions.md#D-307).
   */
  add(moved: MovedSale, asset: Asset, sign: Sign = 1n): void {
    const of = moved.sale ?? moved.back;
    if (of === undefined) return;
    const share = shareIn(moved, asset);
    const { came, back } = share;
    this.#sources.add(placeOf(of), share, sign);
    if (of.person !== undefined) this.#people.add(of.person, share, sign);
    if (came?.parts === undefined && back?.parts === undefined) return;
    this.#accounts.add({ id: of.accountId }, share, sign);
    if (came?.parts !== undefined) this.#taxes.addCame(asset, came.parts, sign);
    if (back?.parts !== undefined) this.#taxes.addBack(asset, back.parts, sign);
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

  /** The tips and taxes in the sales of an account. */
  ofAccount({ id, assetCode, assetScale }: Asset & { id: string }): SoldParts {
    return this.#accounts.partsOf({ id }, { assetCode, assetScale });
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

/** What a sale moved, with its parts where it has a bill. */
function shareIn({ id, sale, back, until: { received, refunded } }: MovedSale, asset: Asset): Share {
  const came = sale && {
    amount: sale.amount,
    parts:
      sale.bill && sharesIn({ bill: sale.bill, before: atLeast0((received.get(id) ?? sale.amount) - sale.amount), amount: sale.amount }),
  };
  if (back === undefined) return { asset, came, back };
  const { amount, bill, refunds } = back;
  const after = { received: received.get(id) ?? amount, refunded: refunded.get(id) ?? amount };
  const before = { received: atLeast0(after.received - (sale?.amount ?? 0n)), refunded: atLeast0(after.refunded - amount) };
  const parts = bill === undefined || bill.total === 0n ? undefined : sharesBackIn({ bill, before, after });
  return { asset, came, back: { amount, count: refunds.size, parts } };
}

const atLeast0 = (value: bigint): bigint => (value > 0n ? value : 0n);
