import type Sqlite from 'better-sqlite3';

/** A packet that a node has sent. */
export interface Sent {
  condition: string;
  peer_id: string;
  payment: string;
  state: string;
  source_amount: bigint;
  peer_amount: bigint;
  delivered: bigint | null;
  /** Whether the operator has decided what became of its payment. */
  is_decided: bigint;
}
/** A packet that a node has taken, and that moved money. */
export interface Received {
  condition: string;
  peer_id: string;
  payment: string | null;
  source_amount: bigint;
  amount: bigint;
}

const SENT = `select condition, peer_id, outgoing_payment_id as payment, state, source_amount, peer_amount, delivered,
  exists (select 1 from events where subject = outgoing_payment_id and type = 'outgoing_payment.resolved') as is_decided from sent_packets`;
const RECEIVED = `select condition, peer_id, incoming_payment_id as payment, source_amount, amount from received_packets
  where source_amount > 0`;

const keyOf = ({ peer_id, condition }: Received): string => `${peer_id} ${condition}`;

/**
 * The packets of a node that are not in its books any more, because their payments ended long ago and went into the
 * archive. Whoever archives them keeps them here first.
 */
export class KeptPackets {
  readonly #sent = new Map<string, Sent>();
  readonly #received = new Map<string, Received>();

  /** The same packets once more, for a copy of the node. */
  copy(): KeptPackets {
    const copy = new KeptPackets();
    for (const [key, packet] of this.#sent) copy.#sent.set(key, packet);
    for (const [key, packet] of this.#received) copy.#received.set(key, packet);
    return copy;
  }

  /** Keeps all packets that are in the books. What it had kept of them before is replaced. */
  keep(books: Sqlite.Database): void {
    for (const packet of books.prepare<[], Sent>(SENT).all()) this.#sent.set(packet.condition, packet);
    for (const packet of books.prepare<[], Received>(RECEIVED).all()) this.#received.set(keyOf(packet), packet);
  }

  /** What the node has sent, as its books say it, and as it was kept where they do not. */
  sent(books: Sqlite.Database): Sent[] {
    const all = new Map(this.#sent);
    // What the operator has decided is told by an event, which goes into the archive before the last of the packets.
    for (const packet of books.prepare<[], Sent>(SENT).all())
      all.set(packet.condition, { ...packet, is_decided: packet.is_decided || (all.get(packet.condition)?.is_decided ?? 0n) });
    return [...all.values()];
  }

  /** What the node has taken. */
  received(books: Sqlite.Database): Received[] {
    const all = new Map(this.#received);
    for (const packet of books.prepare<[], Received>(RECEIVED).all()) all.set(keyOf(packet), packet);
    return [...all.values()];
  }
}

/** The packets of both nodes that are in the archive. */
export interface KeptByBoth {
  readonly a: KeptPackets;
  readonly b: KeptPackets;
}

export const NOTHING_KEPT: KeptByBoth = { a: new KeptPackets(), b: new KeptPackets() };
