import { randomUUID } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import type { WalletAddress } from '../../src-main/wallet-addresses/wallet-addresses.ts';
import type { Asset } from '../../src-shared/amounts.ts';
import { readBooks } from '../support/books/books.ts';
import type { Dice } from '../support/seeded.ts';
import type { Acts } from './acts.ts';
import type { SimulatedNode } from './simulated-node.ts';
import type { Journal } from './wires.ts';

const CURRENCIES = ['USD', 'EUR'] as const;
type Currency = (typeof CURRENCIES)[number];
const KINDS = ['payer', 'shop'] as const;
const PLENTY = 10n ** 15n;
/** The most payments that people make at the same time. */
const AT_ONCE = 40;

const asset = (assetCode: Currency): Asset => ({ assetCode, assetScale: 2 });

/** Opens accounts, sets rates, funds the exchange money on both nodes, and makes each node a peer of the other. */
export async function introduce([a, b]: readonly [SimulatedNode, SimulatedNode]): Promise<void> {
  for (const [node, other] of [
    [a, b],
    [b, a],
  ] as const) {
    await node.as(async () => {
      const { walletAddresses, rates, exchangeAccounts, peers } = node.services;
      for (const currency of CURRENCIES) {
        for (const kind of KINDS) {
          const name = nameOf(kind, currency);
          await walletAddresses.create({ id: randomUUID(), name, publicName: name, ...asset(currency), openingBalance: PLENTY });
        }
        await rates.set({ ...rateFrom(currency), ...atRate(node, currency === 'USD' ? '0.9137' : '1.0893', 50) });
        await exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset: asset(currency), amount: PLENTY, note: '' });
        await peers.operator.registry.add({
          id: randomUUID(),
          name: other.name,
          ...asset(currency),
          ilpAddress: other.services.peers.operator.nodeAddress,
          routes: [],
          endpoint: `${other.urls.origin}/ilp`,
          creditLimit: PLENTY,
          debtLimit: null,
          maxPacketAmount: null,
          deduplicates: true,
          outgoingToken: tokenFor(other, currency),
          incomingToken: tokenFor(node, currency),
        });
      }
    });
  }
}

const nameOf = (kind: string, currency: Currency): string => `${kind}-${currency.toLowerCase()}`;
const tokenFor = (node: SimulatedNode, currency: Currency): string => `the-token-that-${node.name}-takes-in-${currency}`;

/** The people who pay and the operators of the nodes. */
export class People {
  /** How many payments people are making now. */
  busy = 0;
  readonly #nodes: readonly [SimulatedNode, SimulatedNode];
  readonly #dice: Dice;
  readonly #acts: Acts;
  readonly #journal: Journal;
  /** The ids of the payments that each node has acknowledged. */
  readonly #acknowledged = new Map<SimulatedNode, string[]>();

  constructor({ nodes, dice, acts, journal }: Parts) {
    this.#nodes = nodes;
    this.#dice = dice;
    this.#acts = acts;
    this.#journal = journal;
  }

  /**
   * Somebody pays somebody: mostly from one node to the other, sometimes within one, in the same currency or another.
   * The caller does not wait for the payment.
   */
  pay(): void {
    if (this.busy >= AT_ONCE) return;
    const dice = this.#dice;
    const from = dice.pick(this.#nodes);
    const to = dice.chance(0.85) ? (this.#nodes.find((node) => node !== from) ?? from) : from;
    const amount = 2n + BigInt(Math.floor(10 ** (dice.below(5_200) / 1_000)));
    const payment = { from, to, pays: dice.pick(CURRENCIES), gets: dice.pick(CURRENCIES), amount, fixed: dice.chance(0.5) };
    const lifetimeMs = dice.chance(0.1) ? 200 + dice.below(5_000) : undefined;
    this.busy += 1;
    this.#acts.begin(() =>
      this.#pay({ ...payment, lifetimeMs }).finally(() => {
        this.busy -= 1;
      }),
    );
  }

  /** An operator changes something that payments under way must survive. */
  operate(): void {
    const node = this.#dice.pick(this.#nodes);
    if (!node.isUp) return;
    this.#journal('operator');
    const [act, currency, pick] = [this.#dice.below(4), this.#dice.pick(CURRENCIES), this.#dice.below(1_000)];
    const work = async (): Promise<void> => {
      const { registry } = node.services.peers.operator;
      const peer = (await registry.list({ limit: 100 })).peers.find(({ row }) => row.assetCode === currency)?.row;
      if (peer === undefined) return;
      if (act === 0) await this.#pause(node, peer.id, 1 + pick);
      else if (act === 1) await registry.edit(peer.id, { creditLimit: PLENTY + BigInt(pick) });
      else if (act === 2) await registry.edit(peer.id, { maxPacketAmount: BigInt(10_000 + 10 * pick) });
      else
        await node.services.rates.set({
          ...rateFrom(currency),
          ...atRate(node, `${currency === 'USD' ? '0.9' : '1.0'}${pick}1`, pick % 100),
        });
    };
    this.#acts.begin(() => node.as(work));
  }

  /** Resumes every peer that an operator has paused. */
  reopen(): void {
    for (const node of this.#nodes) {
      const work = async (): Promise<void> => {
        const { registry } = node.services.peers.operator;
        for (const { row } of (await registry.list({ limit: 100 })).peers)
          if (row.state === 'paused') await registry.setState(row.id, 'active');
      };
      this.#acts.begin(() => node.as(work));
    }
  }

  /** How many payments this node has acknowledged. */
  acknowledgedBy(node: SimulatedNode): number {
    return this.#acknowledged.get(node)?.length ?? 0;
  }

  /** The node continues with a copy that was made when it had acknowledged so many payments. The others are lost. */
  mourn(node: SimulatedNode, acknowledged: number): void {
    const lost = this.#acknowledged.get(node)?.splice(acknowledged) ?? [];
    for (const _ of lost) this.#journal('lost by an old copy');
  }

  /**
   * The operators look up what has arrived elsewhere, and end the payments that nobody else can end: those of a node
   * that was put back from a copy, and those whose receiver was silent at their deadline (decisions.md#D-151).
   */
  decide(): void {
    for (const node of this.#nodes) {
      const other = this.#nodes.find((candidate) => candidate !== node);
      if (other === undefined) continue;
      const isWhole = node.forgotten.times === 0;
      for (const payment of readBooks(node, unknownPayments)) {
        const { id, receiver } = payment;
        const invoice = receiver.slice(receiver.lastIndexOf('/') + 1);
        const received = readBooks(other, (books) => receivedFor(books, invoice));
        this.#journal('operator decides');
        this.#acts.begin(() => node.as(() => node.services.unknownPayments.resolve(id, outcomeOf(payment, received, isWhole))));
      }
    }
  }

  /** Payments that a node has acknowledged and no longer knows. */
  lost(): string[] {
    return [...this.#acknowledged].flatMap(([node, ids]) =>
      readBooks(node, (books) => {
        const find = books.prepare<[string]>('select 1 from outgoing_payments where id = ?');
        return ids.filter((id) => find.get(id) === undefined).map((id) => `${node.name} has acknowledged the payment ${id} and lost it`);
      }),
    );
  }

  /** Pauses a peer for a limited time, because people have no other way to pay the other node. */
  async #pause(node: SimulatedNode, peerId: string, ms: number): Promise<void> {
    const { registry } = node.services.peers.operator;
    await registry.setState(peerId, 'paused');
    setTimeout(() => this.#acts.begin(() => node.as(() => registry.setState(peerId, 'active'))), ms);
  }

  async #pay({ from, to, pays, gets, amount, fixed, lifetimeMs }: Wanted): Promise<void> {
    this.#journal('incoming payment');
    const incoming = await to.as(async () => {
      const walletAddress = await find(to, nameOf('shop', gets));
      const incomingAmount = fixed ? { value: amount, ...asset(gets) } : undefined;
      const expiresAt = lifetimeMs === undefined ? undefined : to.now() + lifetimeMs;
      const made = await to.services.incomingPayments.create({ walletAddress, client: null, incomingAmount, expiresAt });
      return made.ok ? to.urls.incomingPayment(made.value.id) : undefined;
    });
    if (incoming === undefined) return;
    this.#journal('outgoing payment');
    const outcome = await from.as(async () => {
      const { quotes, outgoingPayments } = from.services;
      const walletAddress = await find(from, nameOf('payer', pays));
      const common = { walletAddress, right: null };
      if (!fixed) {
        const debitAmount = { value: amount, ...asset(pays) };
        return await outgoingPayments.createFromIncomingPayment({ ...common, incomingPayment: incoming, debitAmount });
      }
      const quote = await quotes.create({ walletAddress, client: null, receiver: incoming });
      return quote.ok ? await outgoingPayments.createFromQuote({ ...common, quoteId: quote.value.id }) : quote;
    });
    if (!outcome.ok) return this.#journal(`refused: ${outcome.error.code}`);
    const acknowledged = this.#acknowledged.get(from) ?? [];
    acknowledged.push(outcome.value.id);
    this.#acknowledged.set(from, acknowledged);
  }
}

const rateFrom = (base: Currency) => ({ base, quote: base === 'USD' ? 'EUR' : 'USD' });
const atRate = (node: SimulatedNode, rate: string, spreadBps: number) => ({
  ...{ rate, spreadBps, source: 'made up', asOf: node.now(), maxAgeSeconds: 31_536_000 },
});

interface UnknownPayment {
  id: string;
  receiver: string;
  receive_amount: bigint;
  delivered: bigint;
  /** What its packets carry that have no answer, where there is more than one. */
  several: bigint | null;
}

const unknownPayments = (books: Sqlite.Database): UnknownPayment[] =>
  books
    .prepare<[], UnknownPayment>(
      `select id, receiver, receive_amount, delivered,
        (select sum(source_amount) from sent_packets where outgoing_payment_id = outgoing_payments.id and state = 'unknown'
          having count(*) > 1) as several
        from outgoing_payments where state = 'unknown'`,
    )
    .all();

/** What the operator says of a payment whose receiver has got so much. Copied books do not know how much had left. */
function outcomeOf({ receive_amount, delivered, several }: UnknownPayment, received: bigint, isWhole: boolean) {
  const more = received - delivered;
  if (received >= receive_amount) return 'arrived';
  if (!isWhole || more <= 0n) return 'not_arrived';
  // Where several packets were under way, this node did not exchange, so each brought what it carried.
  return several !== null && more < several ? { part: more } : 'arrived';
}

/** What the payment of a wallet address has got in all. Its packets may be in the archive. */
function receivedFor(books: Sqlite.Database, invoice: string): bigint {
  return books.prepare<[string], bigint>('select received from incoming_payments where id = ?').pluck().get(invoice) ?? 0n;
}

interface Parts {
  nodes: readonly [SimulatedNode, SimulatedNode];
  dice: Dice;
  acts: Acts;
  journal: Journal;
}

interface Wanted {
  from: SimulatedNode;
  to: SimulatedNode;
  pays: Currency;
  gets: Currency;
  amount: bigint;
  fixed: boolean;
  lifetimeMs: number | undefined;
}

async function find(node: SimulatedNode, name: string): Promise<WalletAddress> {
  const found = await node.services.walletAddresses.byName(name);
  if (found === undefined) throw new Error(`${node.name} has no account ${name}`);
  return found;
}
