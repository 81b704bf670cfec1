import { hash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamServer } from '@interledger/stream-receiver';
import {
  deserializeIlpPrepare,
  deserializeIlpReply,
  type IlpPrepare,
  type IlpReply,
  isFulfill,
  isReject,
  isValidIlpAddress,
  serializeIlpPrepare,
  serializeIlpReply,
} from 'ilp-packet';
import { readBody } from '../nodes/http-bodies.ts';
import { postPacket } from './test-peer.ts';

/** An incoming payment at the emulated node. */
export interface ReferencePayment {
  readonly id: string;
  readonly incomingAmount: bigint | undefined;
  readonly ilpAddress: string;
  readonly sharedSecret: Buffer;
  received: bigint;
  completed: boolean;
}

interface ReferenceConnectorOptions {
  readonly assetCode: string;
  readonly assetScale: number;
  /** The bearer token that it accepts. */
  readonly incomingToken: string;
  readonly ilpAddress?: string;
  readonly maxPacketAmount?: bigint;
  readonly now?: () => number;
}

/** The packets that it takes in a minute before it answers T05. */
const BUCKET = 10_000;
const MIN_MESSAGE_WINDOW_MS = 1_000;
const MAX_HOLD_MS = 30_000;

/**
 * Behaves towards a peer as the connector of the reference implementation does (protocol-notes.md#PN-34), with its own
 * STREAM receiver. It speaks ILP over HTTP in the synchronous form, with a static bearer token and one asset. It
 * recognises no repeated packet, so it counts money twice that comes twice.
 */
export class ReferenceConnector {
  /** The amount that the peer owes the connector, less what the connector owes the peer. */
  position = 0n;
  /** The most that the peer may owe before the connector answers T04. */
  liquidity = 2n ** 62n;
  /** The number of packets that it has rejected, by code. */
  readonly refused: Record<string, number> = {};
  /** Every PREPARE that arrived, including those that it rejected. */
  readonly arrived: IlpPrepare[] = [];
  readonly payments = new Map<string, ReferencePayment>();
  readonly ilpAddress: string;
  readonly asset: { readonly code: string; readonly scale: number };
  /** Decides what becomes of the next packet with money instead of an answer; see {@link Accident}. */
  accident: ((prepare: IlpPrepare) => Accident | undefined) | undefined;
  readonly #stream: StreamServer;
  readonly #options: Required<Omit<ReferenceConnectorOptions, 'maxPacketAmount'>> & Pick<ReferenceConnectorOptions, 'maxPacketAmount'>;
  #bucket = BUCKET;
  #filledAt: number;
  #token: string;
  #server: Server | undefined;

  constructor(options: ReferenceConnectorOptions) {
    this.#options = { ilpAddress: 'test.reference', now: Date.now, ...options };
    this.ilpAddress = this.#options.ilpAddress;
    this.#token = options.incomingToken;
    this.asset = { code: options.assetCode, scale: options.assetScale };
    this.#stream = new StreamServer({ serverSecret: hash('sha256', this.ilpAddress, 'buffer'), serverAddress: this.ilpAddress });
    this.#filledAt = this.#options.now();
  }

  /** The URL at which the connector listens. Any path is accepted. */
  get endpoint(): string {
    if (this.#server === undefined) throw new Error('the connector does not listen');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async listen(): Promise<this> {
    const server = createServer((message, response) => {
      const { authorization, 'content-type': type } = message.headers;
      const answer = async (): Promise<void> => {
        const body = await readBody(message);
        if (authorization !== `Bearer ${this.#token}`) return void response.writeHead(401).end();
        if (message.method !== 'POST' || type !== 'application/octet-stream') return void response.writeHead(400).end();
        const reply = await this.handle(body);
        if (reply === undefined) return void response.destroy();
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(reply);
      };
      answer().catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    return this;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(undefined)));
  }

  /** Accepts this bearer token from now on, and no other. */
  takeToken(token: string): void {
    this.#token = token;
  }

  createPayment(id: string, incomingAmount?: bigint): ReferencePayment {
    const { ilpAddress, sharedSecret } = this.#stream.generateCredentials({ paymentTag: id, asset: this.asset });
    const payment = { id, incomingAmount, ilpAddress, sharedSecret, received: 0n, completed: false };
    this.payments.set(id, payment);
    return payment;
  }

  /** Answers a PREPARE. @returns undefined when the answer is lost. */
  async handle(bytes: Buffer): Promise<Buffer | undefined> {
    const prepare = deserializeIlpPrepare(bytes);
    this.arrived.push(prepare);
    const accident = prepare.amount === '0' ? undefined : this.accident?.(prepare);
    if (accident === 'lost on the way') return undefined;
    const reply = this.#answer(prepare);
    if (isReject(reply)) this.refused[reply.code] = (this.refused[reply.code] ?? 0) + 1;
    if (accident === 'answer lost') return undefined;
    return serializeIlpReply(reply);
  }

  #answer(prepare: IlpPrepare): IlpReply {
    const now = this.#options.now();
    const amount = BigInt(prepare.amount);
    this.#bucket = Math.min(BUCKET, this.#bucket + ((now - this.#filledAt) * BUCKET) / 60_000);
    this.#filledAt = now;
    if (this.#bucket < 1) return this.#reject('T05', 'too many requests');
    this.#bucket -= 1;
    const maximum = this.#options.maxPacketAmount;
    if (maximum !== undefined && amount > maximum) {
      const data = Buffer.alloc(16);
      data.writeBigUInt64BE(amount, 0);
      data.writeBigUInt64BE(maximum, 8);
      return this.#reject('F08', 'packet size too large', data);
    }
    // The connector cuts a second off the expiry, holds a packet for half a minute at most, and needs one more second.
    const expiresAt = Math.min(prepare.expiresAt.getTime() - MIN_MESSAGE_WINDOW_MS, now + MAX_HOLD_MS);
    if (expiresAt - now < MIN_MESSAGE_WINDOW_MS) return this.#reject('R02', 'source expiry too soon');
    const { destination } = prepare;
    if (!isValidIlpAddress(destination)) return this.#reject('F02', 'unreachable');
    const tag = this.#stream.decodePaymentTag(destination);
    const payment = tag === undefined ? undefined : this.payments.get(tag);
    if (payment === undefined || (payment.completed && amount > 0n)) return this.#reject('F02', 'unreachable');
    if (this.position + amount > this.liquidity) return this.#reject('T04', 'insufficient liquidity');
    const reply = this.#stream.createReply({ ...prepare, destination });
    if (isFulfill(reply) || isReject(reply)) return reply;
    payment.received += amount;
    this.position += amount;
    if (payment.incomingAmount !== undefined && payment.received >= payment.incomingAmount) payment.completed = true;
    reply.setTotalReceived(payment.received.toString());
    return reply.accept();
  }

  #reject(code: string, message: string, data = Buffer.alloc(0)): IlpReply {
    return { code, message, data, triggeredBy: this.ilpAddress };
  }
}

/** The fate of a packet that never arrives, or that arrives and only its answer is lost. */
export type Accident = 'lost on the way' | 'answer lost';

/** A plugin for a payment library that sends from the emulated connector to its peer. */
export class ReferencePlugin {
  /** The answers in the order in which they came. */
  readonly answers: IlpReply[] = [];
  readonly #connector: ReferenceConnector;
  readonly #endpoint: string;
  readonly #token: string;

  constructor(connector: ReferenceConnector, { endpoint, token }: { endpoint: string; token: string }) {
    this.#connector = connector;
    this.#endpoint = endpoint;
    this.#token = token;
  }

  async sendData(bytes: Buffer): Promise<Buffer> {
    const prepare = deserializeIlpPrepare(bytes);
    // The packet has a second less to live, as after every connector.
    const expiresAt = new Date(prepare.expiresAt.getTime() - MIN_MESSAGE_WINDOW_MS);
    const { status, body: reply } = await postPacket(this.#endpoint, this.#token, serializeIlpPrepare({ ...prepare, expiresAt }));
    if (status !== 200) throw new Error(`the peer answered ${status}`);
    const parsed = deserializeIlpReply(reply);
    this.answers.push(parsed);
    if (isFulfill(parsed)) this.#connector.position -= BigInt(prepare.amount);
    return reply;
  }
}
