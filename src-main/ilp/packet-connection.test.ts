import { createHmac, hash } from 'node:crypto';
import fc from 'fast-check';
import {
  ConnectionAssetDetailsFrame,
  ConnectionCloseFrame,
  ConnectionDataBlockedFrame,
  ConnectionMaxDataFrame,
  ConnectionMaxStreamIdFrame,
  ConnectionNewAddressFrame,
  ConnectionStreamIdBlockedFrame,
  ErrorCode,
  type Frame,
  IlpPacketType,
  Packet,
  StreamCloseFrame,
  StreamDataBlockedFrame,
  StreamDataFrame,
  StreamMaxDataFrame,
  StreamMaxMoneyFrame,
  StreamMoneyBlockedFrame,
  StreamMoneyFrame,
  StreamReceiptFrame,
} from 'ilp-protocol-stream/dist/src/packet.js';
import { describe, expect, it } from 'vitest';
import { MAX_STATED } from '../../src-shared/amounts.ts';
import { decryptPacket, encryptFor } from './stream-answers.ts';
import { streamKeys } from './stream-keys.ts';
import { type PacketReceivers, StreamReceivers } from './stream-receivers.ts';
import { libraryReceives } from './testing/library-connection.ts';
import { NODE_ADDRESS, SECRET, USD } from './testing/network.ts';

const receiver = { incomingPaymentId: 'invoice-1', asset: USD, sharedSecret: Buffer.alloc(32, 3) };
const receivers = new StreamReceivers({ secret: SECRET, nodeAddress: NODE_ADDRESS });
const nodeReceives: PacketReceivers['receive'] = (...packet) => receivers.receive(...packet);

interface Question {
  readonly frames?: Frame[];
  readonly amount?: bigint;
  /** The least that must arrive. */
  readonly least?: bigint;
  readonly kind?: Packet['ilpPacketType'];
  readonly sequence?: bigint;
  /** What follows the frames: bytes that a receiver must ignore (RFC 29 §5.2). */
  readonly junk?: Buffer;
  /** The plaintext, when it is no STREAM packet. */
  readonly content?: Buffer | undefined;
  readonly hasKey?: boolean;
  readonly isProbe?: boolean;
}

const NOTHING = Buffer.alloc(0);

/** A packet with its ciphertext, which every receiver gets alike. */
function packetOf({ amount = 0n, least = 0n, frames = [], hasKey = true, isProbe = false, ...rest }: Question) {
  const { kind = IlpPacketType.Prepare, sequence = 7n, junk = NOTHING } = rest;
  const packet = new Packet(sequence.toString(), kind, least.toString(), frames);
  const content = rest.content ?? Buffer.concat([packet._serialize(), junk]);
  const data = encryptFor(hasKey ? receiver.sharedSecret : Buffer.alloc(32, 4), content);
  const fulfilment = createHmac('sha256', streamKeys(receiver.sharedSecret).fulfilment).update(data).digest();
  const executionCondition = isProbe ? Buffer.alloc(32, 5) : hash('sha256', fulfilment, 'buffer');
  return { destination: `${NODE_ADDRESS}.x`, amount, executionCondition, expiresAt: new Date(), data };
}

/** What a sender sees of an answer. A message beside an error code is for people, and left out. */
interface Answer {
  /** The ILP code of a rejection; undefined for an error without one, which the connector turns into an F00. */
  readonly code?: unknown;
  readonly fulfilment?: string;
  readonly kind?: Packet['ilpPacketType'] | undefined;
  readonly sequence?: string | undefined;
  readonly amount?: string | undefined;
  readonly frames?: readonly Omit<Frame, 'writeTo'>[] | undefined;
}

const read = (data: unknown): Answer => {
  const packet = Buffer.isBuffer(data) ? decryptPacket(data, receiver.sharedSecret) : undefined;
  const frames = packet?.frames.map((frame) => ('errorMessage' in frame ? Object.assign(frame, { errorMessage: '' }) : frame));
  return { kind: packet?.ilpPacketType, sequence: packet?.sequence.toString(), amount: packet?.prepareAmount.toString(), frames };
};

async function answerOf(receive: PacketReceivers['receive'], packet: ReturnType<typeof packetOf>): Promise<Answer> {
  try {
    const { fulfillment, data } = await receive(receiver, packet);
    return { fulfilment: fulfillment.toString('hex'), ...read(data) };
  } catch (error) {
    const { ilpErrorCode, ilpErrorData } = error as { ilpErrorCode?: unknown; ilpErrorData?: unknown };
    return { code: ilpErrorCode, ...read(ilpErrorData) };
  }
}

const ask = (question: Question): Promise<Answer> => answerOf(nodeReceives, packetOf(question));

const ANY = MAX_STATED.toString();
const MAX_DATA = new ConnectionMaxDataFrame(65_534);
const closing = new ConnectionCloseFrame(ErrorCode.NoError, '');
const introduction = new ConnectionNewAddressFrame('private.a');
const introduced = (maxStreamId = 4): Frame[] => [new ConnectionMaxStreamIdFrame(maxStreamId), new ConnectionAssetDetailsFrame('USD', 2)];
const limits = (id: number, received: bigint): Frame[] => [
  new StreamMaxMoneyFrame(id, ANY, received.toString()),
  new StreamMaxDataFrame(id, 65_536),
];
const money = (id: number, shares = 1n): Frame => new StreamMoneyFrame(id, shares.toString());
const bytes = (id: number, offset: number | string, length = 4): Frame => new StreamDataFrame(id, offset, Buffer.alloc(length));
const fulfilled = (frames: Frame[], amount = 0n) => ({
  fulfilment: expect.any(String),
  kind: IlpPacketType.Fulfill,
  sequence: '7',
  amount: amount.toString(),
  frames: [MAX_DATA, ...frames],
});
const rejected = (frames: Frame[], amount = 0n) => ({
  code: 'F99',
  kind: IlpPacketType.Reject,
  sequence: '7',
  amount: amount.toString(),
  frames: [MAX_DATA, ...frames],
});

describe('the receiving end of STREAM', () => {
  it('says nothing to whoever has another secret, or sends no STREAM packet for a PREPARE', async () => {
    const cut = new Packet(7, IlpPacketType.Prepare, 0, [money(1)])._serialize().subarray(0, -1);
    for (const question of [
      { hasKey: false },
      { kind: IlpPacketType.Fulfill },
      { kind: IlpPacketType.Reject },
      { content: cut },
      { content: Buffer.from('no packet') },
    ])
      expect(await ask(question)).toEqual({ code: 'F06' });
  });

  it('tells a sender who asks for more, or for what nobody can fulfil, how much has arrived', async () => {
    expect(await ask({ frames: [money(1)], amount: 99n, least: 100n })).toEqual(rejected([], 99n));
    expect(await ask({ frames: [money(1)], amount: MAX_STATED, isProbe: true })).toEqual(rejected([], MAX_STATED));
    expect(await ask({ amount: MAX_STATED, least: MAX_STATED })).toEqual(fulfilled([], MAX_STATED));
  });

  it('repeats any sequence number, and ignores bytes after the frames', async () => {
    const answer = await ask({ sequence: MAX_STATED, junk: Buffer.alloc(40) });
    expect(answer).toEqual({ ...fulfilled([]), sequence: ANY });
  });

  it('closes when a client opens streams that are not its own, or too many', async () => {
    for (const [id, code] of [
      ['2', ErrorCode.ProtocolViolation],
      ['0', ErrorCode.ProtocolViolation],
      ['5', ErrorCode.StreamIdError],
      [`${2n ** 53n + 1n}`, ErrorCode.StreamIdError],
      [ANY, ErrorCode.StreamIdError],
    ] as const) {
      const opening = [new StreamMoneyFrame(id, 1), new StreamDataFrame(id, 0, NOTHING), new StreamMaxMoneyFrame(id, 0, 0)];
      for (const frame of [...opening, new StreamMaxDataFrame(id, 0)])
        expect(await ask({ frames: [introduction, money(1), frame, frame] })).toEqual(rejected([new ConnectionCloseFrame(code, '')]));
      const mentioning = [new StreamCloseFrame(id, ErrorCode.NoError, ''), new StreamMoneyBlockedFrame(id, 1, 1)];
      expect(await ask({ frames: [...mentioning, new StreamDataBlockedFrame(id, 1)] })).toEqual(fulfilled([]));
    }
  });

  it('divides money by shares, rounded down, and counts it for each stream', async () => {
    const frames = [introduction, money(3, 1n), money(1, 1n), money(3, 1n)];
    expect(await ask({ frames, amount: 101n })).toEqual(fulfilled([...limits(3, 66n), ...limits(1, 33n), ...introduced()], 101n));
    const large = [introduction, money(1, MAX_STATED)];
    expect(await ask({ frames: large, amount: MAX_STATED })).toEqual(fulfilled([...limits(1, MAX_STATED), ...introduced()], MAX_STATED));
  });

  it('has no code for money whose shares divide nothing', async () => {
    for (const frames of [[money(1, MAX_STATED), money(1)], [money(1, 0n)], [money(1, 0n), money(3, 0n)]]) {
      expect(await ask({ frames, amount: 5n })).toEqual({ code: undefined });
      expect(await ask({ frames, amount: 5n, isProbe: true })).toEqual(rejected([], 5n));
    }
    expect(await ask({ frames: [money(1, 0n), money(3)], amount: 5n })).toEqual(fulfilled([], 5n));
  });

  it('tells asset and limits to a client that tells its address, and once only', async () => {
    expect(await ask({ frames: [introduction] })).toEqual(fulfilled(introduced()));
    const frames = [money(1), new StreamMaxDataFrame(3, 10), ...Array.from({ length: 2_000 }, () => introduction)];
    expect(await ask({ frames, amount: 5n })).toEqual(fulfilled([...limits(1, 5n), ...limits(3, 0n), ...introduced()], 5n));
    expect(await ask({ frames, amount: 5n, isProbe: true })).toEqual(rejected(introduced(), 5n));
  });

  it('takes no money on a stream that the same packet closes, and lets the client open another', async () => {
    const close = (id: number, message = '') => new StreamCloseFrame(id, ErrorCode.NoError, message);
    const more = new ConnectionMaxStreamIdFrame(6);
    const closed = new StreamCloseFrame(1, ErrorCode.StreamStateError, '');
    expect(await ask({ frames: [bytes(1, 0), close(1), close(1)] })).toEqual(fulfilled([more]));
    expect(await ask({ frames: [close(1, 'boom'), money(1)], amount: 5n })).toEqual(rejected([closed, more], 5n));
    expect(await ask({ frames: [close(3), money(1)], amount: 5n })).toEqual(fulfilled([], 5n));
    const both = [close(1), introduction, bytes(1, 0), bytes(3, 0), close(3)];
    const answers = [...limits(1, 0n), ...limits(3, 0n), more, ...introduced(6), new ConnectionMaxStreamIdFrame(8)];
    expect(await ask({ frames: both })).toEqual(fulfilled(answers));
  });

  it('takes no money in a packet that closes the connection, and tells no limits', async () => {
    const closed = new StreamCloseFrame(1, ErrorCode.StreamStateError, '');
    for (const close of [closing, new ConnectionCloseFrame(ErrorCode.InternalError, 'boom')]) {
      expect(await ask({ frames: [close, money(1)], amount: 5n })).toEqual(rejected([closed], 5n));
      expect(await ask({ frames: [introduction, bytes(1, 0), close] })).toEqual(fulfilled(introduced()));
      expect(await ask({ frames: [close, introduction] })).toEqual(fulfilled(introduced()));
    }
  });

  it('takes data in any order up to its limit, for all streams together', async () => {
    const pieces = Array.from({ length: 2_000 }, (_, index) => bytes(1, 4 * ((index * 7) % 2_000)));
    expect(await ask({ frames: pieces })).toEqual(fulfilled([]));
    expect(await ask({ frames: [bytes(1, 65_530)] })).toEqual(fulfilled([]));
    expect(await ask({ frames: [bytes(1, 65_531)] })).toEqual(rejected([]));
    expect(await ask({ frames: [bytes(1, 32_763), bytes(3, 32_764)] })).toEqual(rejected([]));
    expect(await ask({ frames: [bytes(1, ANY), money(1)], amount: 5n })).toEqual(rejected([], 5n));
  });

  it('lets frames pass that tell the client’s own limits, and those of a type that it does not know', async () => {
    const unknown = Object.assign(new StreamReceiptFrame(2, Buffer.alloc(3)), { type: 0x99 });
    const telling = [new ConnectionMaxDataFrame(ANY), new ConnectionMaxStreamIdFrame(ANY), new StreamMaxMoneyFrame(1, ANY, ANY)];
    const blocked = [new ConnectionDataBlockedFrame(ANY), new ConnectionStreamIdBlockedFrame(ANY), new StreamDataBlockedFrame(1, ANY)];
    const other = [new ConnectionAssetDetailsFrame('EUR', 255), new StreamReceiptFrame(1, NOTHING), unknown];
    const frames = [...telling, ...blocked, ...other, new StreamMaxDataFrame(1, ANY), new StreamMoneyBlockedFrame(1, ANY, ANY), money(1)];
    expect(await ask({ frames, amount: 5n })).toEqual(fulfilled([], 5n));
  });
});

const uint64 = fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.bigInt({ min: 0n, max: MAX_STATED }), fc.constant(MAX_STATED)).map(String);
const streamId = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(1, 3) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 6 }) });
const errorCode = fc.constantFrom(ErrorCode.NoError, ErrorCode.InternalError, ErrorCode.ApplicationError);
const text = fc.constantFrom('', 'boom');
const someBytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const offset = fc
  .oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 32_700, max: 32_800 }), fc.integer({ min: 65_480, max: 65_560 }))
  .map(String);
const moneyFrame = fc.tuple(streamId, uint64).map((values) => new StreamMoneyFrame(...values));
const anyFrame: fc.Arbitrary<Frame> = fc.oneof(
  moneyFrame,
  fc.tuple(streamId, fc.oneof(offset, uint64), someBytes).map((values) => new StreamDataFrame(...values)),
  fc.tuple(streamId, errorCode, text).map((values) => new StreamCloseFrame(...values)),
  fc.tuple(errorCode, text).map((values) => new ConnectionCloseFrame(...values)),
  fc.constant(introduction),
  fc.tuple(text, fc.integer({ min: 0, max: 255 })).map((values) => new ConnectionAssetDetailsFrame(...values)),
  uint64.map((value) => new ConnectionMaxDataFrame(value)),
  uint64.map((value) => new ConnectionDataBlockedFrame(value)),
  uint64.map((value) => new ConnectionMaxStreamIdFrame(value)),
  uint64.map((value) => new ConnectionStreamIdBlockedFrame(value)),
  fc.tuple(streamId, uint64, uint64).map((values) => new StreamMaxMoneyFrame(...values)),
  fc.tuple(streamId, uint64, uint64).map((values) => new StreamMoneyBlockedFrame(...values)),
  fc.tuple(streamId, uint64).map((values) => new StreamMaxDataFrame(...values)),
  fc.tuple(streamId, uint64).map((values) => new StreamDataBlockedFrame(...values)),
  fc.tuple(streamId, someBytes).map((values) => new StreamReceiptFrame(...values)),
  fc.tuple(streamId, someBytes).map((values) => Object.assign(new StreamReceiptFrame(...values), { type: 0x18 })),
);
const shortFrames = fc.array(fc.oneof(moneyFrame, fc.constant(introduction), anyFrame), { maxLength: 3 });
const question: fc.Arbitrary<Question> = fc.record({
  frames: fc.oneof(shortFrames, fc.array(anyFrame, { maxLength: 12 })).map(withoutLateFrames),
  amount: uint64.map(BigInt),
  least: fc.oneof(fc.constant(0n), uint64.map(BigInt)),
  kind: fc.oneof({ weight: 15, arbitrary: fc.constant(IlpPacketType.Prepare) }, { weight: 1, arbitrary: fc.constantFrom(13, 14) }),
  sequence: uint64.map(BigInt),
  junk: someBytes,
  content: fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: someBytes }),
  hasKey: fc.oneof({ weight: 15, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  isProbe: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/**
 * Leaves out data for a stream that is closed. The library throws such data away, and then takes as many bytes more;
 * the node's limit stays. Likewise the library hears no close of a stream after data beyond the limit.
 */
function withoutLateFrames(frames: Frame[]): Frame[] {
  const closed = new Set<number>();
  let allClosed = false;
  let isOver = false;
  return frames.filter((frame) => {
    if (frame instanceof ConnectionCloseFrame) allClosed = true;
    if (frame instanceof StreamCloseFrame) {
      closed.add(frame.streamId.toNumber());
      return !isOver;
    }
    if (!(frame instanceof StreamDataFrame)) return true;
    if (isOver || allClosed || closed.has(frame.streamId.toNumber())) return false;
    isOver = frame.offset.toUnsigned().add(frame.data.length).greaterThan(65_536) || frame.offset.greaterThan(65_536);
    return true;
  });
}

/** Leaves out what the library tells each further time that a packet tells an address. The node tells it once. */
function withoutRepetitions({ frames = [], ...answer }: Answer): Answer {
  const told = frames.flatMap(({ name }, index) => (name === 'ConnectionAssetDetails' ? [index] : []));
  const again = new Set(told.slice(1).flatMap((index) => [index - 1, index]));
  return { ...answer, frames: frames.filter((_, index) => !again.has(index)) };
}

it('the receiving end of STREAM answers any packet as a connection of the library does that gets no other', async () => {
  const kinds = new Map<unknown, number>();
  await fc.assert(
    fc.asyncProperty(question, async (asked) => {
      const packet = packetOf(asked);
      const ours = await answerOf(nodeReceives, packet);
      const theirs = await answerOf(libraryReceives, packet);
      expect({ ...ours, frames: ours.frames ?? [] }).toEqual(withoutRepetitions(theirs));
      const kind = 'fulfilment' in ours ? 'fulfilled' : (ours.code ?? 'no code');
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }),
    { numRuns: 1_000, endOnFailure: true },
  );
  for (const kind of ['fulfilled', 'F06', 'F99', 'no code']) expect(kinds.get(kind), kind).toBeGreaterThan(10);
});
