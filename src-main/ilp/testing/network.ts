import { createHash, createHmac } from 'node:crypto';
import { queryObjects } from 'node:v8';
import { deserializeIlpReply, type IlpPrepare, type IlpReply, serializeIlpPrepare } from 'ilp-packet';
import { Connection, DataAndMoneyStream } from 'ilp-protocol-stream';
import { encrypt } from 'ilp-protocol-stream/dist/src/crypto.js';
import { type Frame, IlpPacketType, Packet } from 'ilp-protocol-stream/dist/src/packet.js';
import type { Asset } from '../../../src-shared/amounts.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { ok } from '../../platform/result.ts';
import { Connector, type ConnectorParts } from '../connector.ts';
import type { AcceptPacket, LocalPacket, Reply } from '../packets.ts';
import type { ReceiverCredentials } from '../stream-credentials.ts';
import { StreamReceivers } from '../stream-receivers.ts';
import { type SendOutcome, type SendTask, StreamSender } from '../stream-sender.ts';

export const USD: Asset = { assetCode: 'USD', assetScale: 2 };
export const JPY: Asset = { assetCode: 'JPY', assetScale: 0 };
export const NODE_ADDRESS = 'private.paydesk.test';
export const SECRET = Buffer.alloc(32, 9);
export const START = Date.UTC(2026, 10, 20);

const log = createLogger('silent');

/**
 * A connector, its receivers and a sender for tests. It records every packet and answer, and its ledger says what the
 * test tells it to.
 */
export class TestNetwork {
  readonly clock = new ManualClock(START);
  readonly receivers = new StreamReceivers({ secret: SECRET, nodeAddress: NODE_ADDRESS });
  /** What arrived at the ledger, refused or not. */
  readonly arrived: LocalPacket[] = [];
  /** Every PREPARE that entered the connector, and what came out. */
  readonly exchanged: { bytes: Buffer; reply: Reply }[] = [];
  readonly connector: Connector;
  readonly sender: StreamSender;
  accept: AcceptPacket = () => Promise.resolve(ok(undefined));

  constructor(parts: Partial<ConnectorParts> = {}) {
    const connector = new Connector({
      nodeAddress: NODE_ADDRESS,
      receivers: this.receivers,
      clock: this.clock,
      log,
      accept: (packet) => {
        this.arrived.push(packet);
        return this.accept(packet);
      },
      ...parts,
    });
    this.connector = connector;
    const { exchanged } = this;
    this.sender = new StreamSender({
      clock: this.clock,
      log,
      connector: {
        maxPacketAmount: connector.maxPacketAmount,
        async handlePrepare(bytes, origin) {
          const reply = await connector.handlePrepare(bytes, origin);
          exchanged.push({ bytes, reply });
          return reply;
        },
      },
    });
  }

  get delivered(): bigint {
    return this.arrived.reduce((sum, { amount }) => sum + amount, 0n);
  }

  async send(amount: bigint, changes: Partial<SendTask> = {}, asset: Asset = USD): Promise<SendOutcome> {
    const { ilpAddress, sharedSecret } = await this.receivers.credentials('invoice-1', asset);
    return await this.sender.send(sendTask({ destinationAddress: ilpAddress, sharedSecret, amount, ...changes }));
  }

  /** Hands bytes to the connector as if a payment of this node had sent them. */
  async handle(bytes: Buffer): Promise<IlpReply> {
    const { bytes: reply } = await this.connector.handlePrepare(bytes, { sender: { outgoingPaymentId: 'p', attempt: 1 }, asset: USD });
    return deserializeIlpReply(reply);
  }
}

/** A task with nothing special about it but what `changes` say. */
export function sendTask(changes: Partial<SendTask>): SendTask {
  return {
    sender: { outgoingPaymentId: 'payment-1', attempt: 1 },
    destinationAddress: `${NODE_ADDRESS}.USD-2.AAAA`,
    sharedSecret: Buffer.alloc(32),
    sourceAsset: USD,
    amount: 100n,
    signal: new AbortController().signal,
    deadlineMs: START + 60_000,
    ...changes,
  };
}

interface CraftedPacket {
  readonly frames: Frame[];
  readonly amount?: string;
  readonly sequence?: number;
  readonly changes?: Partial<IlpPrepare>;
}

/** A PREPARE as any STREAM sender with the credentials could make it. */
export async function craft(
  { ilpAddress, sharedSecret }: ReceiverCredentials,
  { frames, amount = '0', sequence = 1, changes }: CraftedPacket,
): Promise<Buffer> {
  const packet = new Packet(sequence, IlpPacketType.Prepare, undefined, frames);
  return craftAround({ ilpAddress, sharedSecret }, packet._serialize(), amount, changes);
}

/** The same with any bytes in place of STREAM's frames. */
export async function craftAround(
  { ilpAddress, sharedSecret }: ReceiverCredentials,
  content: Buffer,
  amount = '0',
  changes: Partial<IlpPrepare> = {},
): Promise<Buffer> {
  const data = await encrypt(hmac(sharedSecret, 'ilp_stream_encryption'), content);
  const fulfilment = hmac(hmac(sharedSecret, 'ilp_stream_fulfillment'), data);
  return serializeIlpPrepare({
    amount,
    destination: ilpAddress,
    executionCondition: createHash('sha256').update(fulfilment).digest(),
    expiresAt: new Date(START + 30_000),
    data,
    ...changes,
  });
}

const hmac = (key: Buffer, message: string | Buffer): Buffer => createHmac('sha256', key).update(message).digest();

/** Lets so many turns of the event loop pass. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * What STREAM has in memory after a full garbage collection, and the timers that run (the test runner's own among
 * them).
 */
export const remains = (): { connections: number; streams: number; timers: number } => ({
  connections: queryObjects(Connection, { format: 'count' }),
  streams: queryObjects(DataAndMoneyStream, { format: 'count' }),
  timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
});
