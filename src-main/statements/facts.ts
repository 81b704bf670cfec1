import { inArray } from 'drizzle-orm';
import { type Asset, sameAsset } from '../../src-shared/amounts.ts';
import type { SoldLine } from '../../src-shared/bills/sold-line.ts';
import type { ExchangedAt, StatementKind, StatementLine } from '../../src-shared/statements/statement.ts';
import { hostOf } from '../../src-shared/words/inert-text.ts';
import { sharesIn } from '../closings/taxes.ts';
import { decimalOf } from '../exchange/fraction.ts';
import { type BookLine, type BookState, isCredit } from '../ledger/account-book.ts';
import { GIVEN_BACK, type TransferKind } from '../ledger/transfer-kinds.ts';
import { type BillSums, billSums, soldLines } from '../payments/bills/bills.ts';
import { keptRequests } from '../payments/incoming/kept-requests.ts';
import { firstPayers } from '../payments/refunds/payers.ts';
import { receivedBefore, refundedBefore } from '../payments/refunds/sale-before.ts';
import { refunds } from '../payments/refunds/tables.ts';
import { said } from '../payments/search-text.ts';
import { incomingPayments, outgoingPayments } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { isId } from '../platform/ids.ts';
import type { WalletAddress, WalletAddresses } from '../wallet-addresses/wallet-addresses.ts';

/** The facts of a line beside its time, its amount and the balance. */
type LineFacts = Omit<StatementLine, 'id' | 'at' | 'local' | 'day' | 'change' | 'balance' | 'worth'>;

const CREDITED: Readonly<Record<TransferKind, StatementKind>> = {
  deposit: 'deposit',
  // No account has one. A settlement moves money between a peer and the outside.
  settlement: 'deposit',
  withdrawal: 'withdrawal',
  reservation: 'sent',
  [GIVEN_BACK]: 'returned',
  payment: 'received',
};

type Outgoing = Pick<typeof outgoingPayments.$inferSelect, keyof typeof OUTGOING>;
const { id, walletAddressId, receiverId, receiver, metadata } = outgoingPayments;
const { debitAmount, receiveAmount, receiveAssetCode, receiveAssetScale } = outgoingPayments;
const OUTGOING = {
  ...{ id, walletAddressId, receiverId, receiver, metadata },
  ...{ debitAmount, receiveAmount, receiveAssetCode, receiveAssetScale },
};

/**
 * How many payers a line names at most. A payment may have any number of them, and a line for each of what they paid.
 */
const MOST_PAYERS = 20;

/** The payments behind some lines, which are read at once. */
interface Behind {
  readonly outgoing: ReadonlyMap<string, Outgoing>;
  readonly incoming: ReadonlyMap<string, Pick<typeof incomingPayments.$inferSelect, 'id' | 'walletAddressId' | 'metadata' | 'note'>>;
  readonly kept: Awaited<ReturnType<typeof keptRequests>>;
  readonly refunds: ReadonlyMap<string, { payer: string; reason: string | null; sale: string }>;
  readonly bills: ReadonlyMap<string, BillSums>;
  readonly items: ReadonlyMap<string, readonly SoldLine[]>;
  /** The first wallet addresses elsewhere that are proven to have paid an incoming payment. */
  readonly payers: ReadonlyMap<string, readonly string[]>;
}

interface Parts {
  reader: Reader;
  walletAddresses: Pick<WalletAddresses, 'byId' | 'urlOf'>;
  book: BookState;
  account: WalletAddress;
}

/** Finds the facts for the lines of an account's book. */
export class Facts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The facts of some lines, in their order. */
  async of(lines: readonly BookLine[]): Promise<LineFacts[]> {
    const behind = await behindOf(this.#parts.reader, [...new Set(lines.flatMap((line) => line.paymentId ?? []))]);
    const facts: LineFacts[] = [];
    for (const line of lines) facts.push(await this.#factsOf(line, behind));
    return facts;
  }

  async #factsOf(line: BookLine, behind: Behind): Promise<LineFacts> {
    const sent = line.paymentId === null ? undefined : behind.outgoing.get(line.paymentId);
    if (line.kind !== 'payment' && line.kind !== 'reservation' && line.kind !== GIVEN_BACK)
      return { ...NOTHING, kind: CREDITED[line.kind], note: line.note };
    if (line.kind === 'payment' && isCredit(line, this.#parts.book)) return await this.#received(line, sent, behind);
    return await this.#sent(line, sent, behind);
  }

  async #received(line: BookLine, sent: Outgoing | undefined, behind: Behind): Promise<LineFacts> {
    const payment = behind.incoming.get(sent?.receiverId ?? line.paymentId ?? '');
    const kept = payment && behind.kept.get(payment.id);
    const { description, reference } = said(payment?.metadata ?? null);
    return {
      ...NOTHING,
      kind: 'received',
      paymentId: payment?.id ?? null,
      ...(sent === undefined ? elsewhere(payment && behind.payers.get(payment.id)) : await this.#accountHere(sent.walletAddressId)),
      ...(sent && { exchanged: await this.#exchangedFrom(sent) }),
      description,
      reference: kept?.reference ?? reference,
      // A version before kept notes beside the payment.
      note: kept === undefined ? (payment?.note ?? null) : kept.note,
      ...(payment && (await this.#billed(line, payment.id, behind))),
    };
  }

  async #sent(line: BookLine, sent: Outgoing | undefined, behind: Behind): Promise<LineFacts> {
    const isBack = line.kind === GIVEN_BACK;
    const refund = sent && behind.refunds.get(sent.id);
    const kind = isBack ? 'returned' : refund === undefined ? 'sent' : 'refunded';
    if (sent === undefined) return { ...NOTHING, kind, paymentId: line.paymentId };
    const to = sent.receiverId === null ? undefined : behind.incoming.get(sent.receiverId);
    const [own, theirs] = [said(sent.metadata), said(to?.metadata ?? null)];
    return {
      ...NOTHING,
      kind,
      paymentId: sent.id,
      ...(to === undefined ? await this.#payee(refund?.payer, sent) : await this.#accountHere(to.walletAddressId)),
      description: refund?.reason ?? own.description ?? theirs.description,
      reference: own.reference ?? theirs.reference,
      ...(isBack ? {} : costs(this.#parts.account, sent)),
      exchanged: exchangedAt(debited(sent, this.#parts.account), arriving(sent)),
      ...(refund && (await this.#givenBack(line, refund.sale, behind.bills.get(refund.sale)))),
    };
  }

  /** The rate of a payment that an account of this node made in another currency. */
  async #exchangedFrom(sent: Outgoing): Promise<ExchangedAt | null> {
    const payer = await this.#parts.walletAddresses.byId(sent.walletAddressId);
    return payer === undefined ? null : exchangedAt(arriving(sent), debited(sent, payer));
  }

  async #accountHere(one: string): Promise<Pick<LineFacts, 'name' | 'walletAddress'>> {
    const account = await this.#parts.walletAddresses.byId(one);
    return { name: account?.publicName ?? null, walletAddress: account === undefined ? null : this.#parts.walletAddresses.urlOf(account) };
  }

  /**
   * The payee of a payment to another wallet. Of a refund the wallet address is known, and of other payments the host.
   */
  async #payee(payer: string | undefined, { receiver: url }: Outgoing): Promise<Pick<LineFacts, 'name' | 'walletAddress'>> {
    if (payer !== undefined && isId(payer)) return await this.#accountHere(payer);
    return { name: null, walletAddress: payer ?? hostOf(url) };
  }

  /**
   * The tax and the tip that came with a line, and what was sold. A bill that is paid in parts brings a share of both
   * with each, and its items with the first.
   */
  async #billed(line: BookLine, payment: string, { bills, items }: Behind): Promise<Pick<LineFacts, 'tax' | 'tip' | 'items'>> {
    const bill = bills.get(payment);
    if (bill === undefined || bill.total === 0n) return { tax: null, tip: null, items: null };
    const before = line.amount >= bill.total ? 0n : await receivedBefore(this.#parts.reader, this.#parts.book, payment, line);
    const { rates, tip } = sharesIn({ bill, before, amount: line.amount });
    return { tax: rates.reduce((sum, { tax }) => sum + tax, 0n), tip, items: before === 0n ? (items.get(payment) ?? null) : null };
  }

  /** The tax and the tip that went with a line of a refund, below zero, or came back with it. */
  async #givenBack(line: BookLine, sale: string, bill: BillSums | undefined): Promise<Pick<LineFacts, 'tax' | 'tip'>> {
    if (bill === undefined || bill.total === 0n) return { tax: null, tip: null };
    const before = await refundedBefore(this.#parts.reader, this.#parts.book, sale, line);
    const amount = isCredit(line, this.#parts.book) ? -line.amount : line.amount;
    const { rates, tip } = sharesIn({ bill, before, amount });
    return { tax: rates.reduce((sum, { tax }) => sum - tax, 0n), tip: -tip };
  }
}

const NOTHING = {
  ...{ paymentId: null, name: null, walletAddress: null, description: null, reference: null, note: null },
  ...{ tax: null, tip: null, items: null, fee: null, other: null, exchanged: null },
};

const elsewhere = (payers: readonly string[] | undefined): Pick<LineFacts, 'name' | 'walletAddress'> => ({
  name: null,
  walletAddress: payers === undefined || payers.length === 0 ? null : payers.join(' '),
});

/** The cost of a payment in one currency, or the amount that is to arrive in another. */
function costs(account: Asset, sent: Outgoing): Pick<LineFacts, 'fee' | 'other'> {
  const other = arriving(sent);
  if (!sameAsset(account, other)) return { fee: null, other };
  const fee = sent.debitAmount - sent.receiveAmount;
  return { fee: fee > 0n ? fee : null, other: null };
}

type Sum = Asset & { readonly value: bigint };

/** The two amounts of which the price of a payment consists. */
const debited = ({ debitAmount: value }: Outgoing, { assetCode, assetScale }: Asset): Sum => ({ assetCode, assetScale, value });
const arriving = ({ receiveAmount: value, receiveAssetCode: assetCode, receiveAssetScale: assetScale }: Outgoing): Sum => ({
  ...{ assetCode, assetScale, value },
});

/** The rate between the two amounts of a price, of which one is in the account's currency. */
function exchangedAt(own: Sum, other: Sum): ExchangedAt | null {
  if (own.assetCode === other.assetCode || own.value === 0n || other.value === 0n) return null;
  const [numerator, denominator] = [other.value * 10n ** BigInt(own.assetScale), own.value * 10n ** BigInt(other.assetScale)];
  return {
    assetCode: other.assetCode,
    rate: decimalOf({ numerator, denominator }),
    inverse: decimalOf({ numerator: denominator, denominator: numerator }),
  };
}

async function behindOf(reader: Reader, named: readonly string[]): Promise<Behind> {
  const [none, nothing] = [{ outgoing: new Map(), incoming: new Map(), kept: new Map(), refunds: new Map() }, new Map()];
  if (named.length === 0) return { ...none, bills: nothing, items: nothing, payers: nothing };
  const sent = await reader
    .select(OUTGOING)
    .from(outgoingPayments)
    .where(inArray(id, [...named]));
  const outgoing = new Map(sent.map((row) => [row.id, row]));
  const fromPeers = named.filter((one) => !outgoing.has(one));
  const ids = [...new Set([...sent.flatMap((row) => row.receiverId ?? []), ...fromPeers])];
  const { id: incomingId, walletAddressId: owner, metadata: told, note } = incomingPayments;
  const incoming = await reader
    .select({ id: incomingId, walletAddressId: owner, metadata: told, note })
    .from(incomingPayments)
    .where(inArray(incomingId, ids));
  const given = await reader
    .select({ id: refunds.outgoingPaymentId, payer: refunds.payer, reason: refunds.reason, sale: refunds.incomingPaymentId })
    .from(refunds)
    .where(inArray(refunds.outgoingPaymentId, [...outgoing.keys()]));
  return {
    outgoing,
    incoming: new Map(incoming.map((row) => [row.id, row])),
    kept: await keptRequests(reader, ids),
    refunds: new Map(given.map(({ id: one, ...refund }) => [one ?? '', refund])),
    bills: await billSums(reader, [...new Set([...ids, ...given.map(({ sale }) => sale)])]),
    items: await soldLines(reader, ids),
    payers: await firstPayers(reader, fromPeers, MOST_PAYERS),
  };
}
