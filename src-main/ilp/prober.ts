import { type IlpReject, type IlpReply, isFulfill } from 'ilp-packet';
import { generateRandomCondition } from 'ilp-protocol-stream/dist/src/crypto.js';
import { IlpPacketType, Packet } from 'ilp-protocol-stream/dist/src/packet.js';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import type { Core } from '../platform/core.ts';
import { waitAtMost } from '../platform/patience.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import type { PeerForwarder } from './peer-forwarder.ts';
import type { PeerRoute } from './peer-links.ts';
import { amountAtReceiver, encryptFor } from './stream-answers.ts';

/** Which way to measure, and until when. */
export interface Probe {
  /** The peer that leads there. The amounts of packets to it are in its asset. */
  readonly route: PeerRoute;
  readonly destinationAddress: string;
  /** 32 bytes. */
  readonly sharedSecret: Buffer;
  /** The time by which the answers must be there, in milliseconds since the Unix epoch. Later ones do not count. */
  readonly deadlineMs: number;
}

interface Measured {
  readonly sent: bigint;
  readonly arrived: bigint;
}

/**
 * The amounts of the first round, in smallest units of the peer's asset. The largest that gets through tells the rate
 * best. Small ones get through where large ones do not.
 */
const AMOUNTS = [1_000n, 1_000_000n, 1_000_000_000n, 1_000_000_000_000n];

interface Parts extends Pick<Core, 'clock'> {
  forwarder: Pick<PeerForwarder, 'probe'>;
}

/**
 * Finds out what arrives at a receiver for what a peer is handed, where only the way itself knows it
 * (decisions.md#D-52). Nobody can fulfil its packets: they move nothing, so nothing is held for them. The receiver's
 * encrypted answer says how much would have arrived. It comes in an F99, or in an F05 from the reference implementation
 * (protocol-notes.md#PN-34).
 */
export class Prober {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Measures one way. It never throws for what a peer does.
   * @returns how many units of the receiver's asset arrive for a unit that the peer gets; `unreachable` when no usable
   * answer came in time, or nothing would arrive.
   */
  async probe(probe: Probe): Promise<Result<{ numerator: bigint; denominator: bigint }, 'unreachable'>> {
    const round = new ProbeRound(probe, (amount, sequence) => this.#send(probe, amount, sequence));
    const end = this.#parts.clock.monotonic() + probe.deadlineMs - this.#parts.clock.now();
    const left = () => end - this.#parts.clock.monotonic();
    const most = probe.route.maxPacketAmount ?? MAX_MOVED;
    const first = new Set(AMOUNTS.map((amount) => (amount < most ? amount : most)));
    await round.send(first, left());
    // An amount above the smallest maximum on the way was answered with that maximum. So exactly that maximum is the
    // best question.
    if (round.maximum > 0n && left() > 0) await round.send(new Set([round.maximum]), left());
    return round.best === undefined ? refuse('unreachable') : ok({ numerator: round.best.arrived, denominator: round.best.sent });
  }

  /**
   * Finds out whether packets reach the receiver, by one packet of `amount` that nobody can fulfil.
   * @returns the ILP code with which somebody on the way has rejected it; no code when there was no answer.
   */
  async reaches(probe: Probe, amount: bigint): Promise<Result<void, { code: string | undefined }>> {
    const { data, reply } = await this.#send(probe, amount, 1);
    if (reply === undefined || isFulfill(reply)) return refuse({ code: undefined });
    const isFromReceiver = amountAtReceiver(data, reply, probe.sharedSecret) !== undefined;
    return isFromReceiver ? ok(undefined) : refuse({ code: reply.code });
  }

  async #send({ route, destinationAddress, sharedSecret, deadlineMs }: Probe, amount: bigint, sequence: number) {
    const packet = new Packet(sequence, IlpPacketType.Prepare);
    const data = encryptFor(sharedSecret, packet._serialize());
    const prepare = {
      destination: destinationAddress,
      amount: amount.toString(),
      executionCondition: generateRandomCondition(),
      expiresAt: new Date(deadlineMs),
      data,
    };
    return { data, reply: await this.#parts.forwarder.probe(route, prepare) };
  }
}

type SendProbe = (amount: bigint, sequence: number) => Promise<{ data: Buffer; reply: IlpReply | undefined }>;

/** The packets of one measurement, and what they have brought to light so far. */
class ProbeRound {
  readonly #probe: Probe;
  readonly #sendOne: SendProbe;
  #sequence = 0;
  /** The measurement of the largest amount that was answered. */
  best: Measured | undefined;
  /** The smallest maximum that an F08 told, in smallest units of the peer's asset; 0 while none has. */
  maximum = 0n;

  constructor(probe: Probe, sendOne: SendProbe) {
    this.#probe = probe;
    this.#sendOne = sendOne;
  }

  /** Sends one packet of each amount at the same time, and waits for `patienceMs` at most. */
  async send(amounts: ReadonlySet<bigint>, patienceMs: number): Promise<void> {
    await waitAtMost(patienceMs, Promise.all([...amounts].map((amount) => this.#one(amount))));
  }

  async #one(sent: bigint): Promise<void> {
    this.#sequence += 1;
    const { data, reply } = await this.#sendOne(sent, this.#sequence);
    if (reply === undefined || isFulfill(reply)) return;
    if (reply.code === 'F08') this.#learnMaximum(sent, reply);
    const arrived = amountAtReceiver(data, reply, this.#probe.sharedSecret);
    if (arrived === undefined || arrived === 0n || arrived > MAX_MOVED) return;
    if (this.best === undefined || sent > this.best.sent) this.best = { sent, arrived };
  }

  /**
   * Learns from an F08. It says what arrived where it was too much, and the most that may arrive there. So the same
   * share of what was sent may leave here.
   */
  #learnMaximum(sent: bigint, { data }: IlpReject): void {
    if (data.length < 16) return;
    const [received, most] = [data.readBigUInt64BE(0), data.readBigUInt64BE(8)];
    if (received === 0n || most >= received) return;
    const maximum = (sent * most) / received;
    if (maximum > 0n && (this.maximum === 0n || maximum < this.maximum)) this.maximum = maximum;
  }
}
