import {
  ConnectionAssetDetailsFrame,
  ConnectionCloseFrame,
  ConnectionMaxDataFrame,
  ConnectionMaxStreamIdFrame,
  ErrorCode,
  type Frame,
  FrameType,
  StreamCloseFrame,
  type StreamDataFrame,
  StreamMaxDataFrame,
  StreamMaxMoneyFrame,
  type StreamMoneyFrame,
} from 'ilp-protocol-stream/dist/src/packet.js';
import { type Asset, MAX_STATED } from '../../src-shared/amounts.ts';
import { toBigint } from './stream-answers.ts';

/**
 * How many streams a client may open in one packet: those with the ids 1 and 3. Each stream costs an object, so a
 * packet must not ask for thousands.
 */
const MAX_REMOTE_STREAMS = 2;

/** The largest stream id that a client is told to use. Its own ids are the odd ones up to there (RFC 29 §4.4.1). */
const MAX_STREAM_ID = 2 * MAX_REMOTE_STREAMS;

/**
 * How many bytes all streams of a connection together may carry, counted from the first byte of each (RFC 29 §4.5): as
 * many as fit into two packets. Nobody reads them, so the limit never grows.
 */
const MAX_DATA = 65_534;

/** The same for one stream (RFC 29 §4.4.4). The limit of the connection is always the first to be reached. */
const MAX_STREAM_DATA = 65_536;

/** Frames are only read once they are made, so all answers can share this one. */
const MAX_DATA_FRAME = new ConnectionMaxDataFrame(MAX_DATA);

const ANY_AMOUNT = MAX_STATED.toString();

interface OpenStream {
  isOpen: boolean;
  /** The position after the last byte that the client has sent on it. */
  end: bigint;
  /** How much money it has got, in smallest units of the receiver's asset. */
  received: bigint;
}

/**
 * The receiving end of a STREAM connection that begins with one packet of its client and ends with the answer (RFC 29).
 * It takes any amount of money and throws all data away. It starts nothing, and its work grows with the number of
 * frames only.
 */
export class PacketConnection {
  readonly #asset: Asset;
  readonly #frames: readonly Frame[];
  /** The streams of the packet by their ids, in the order in which its frames name them. */
  readonly #streams = new Map<number, OpenStream>();
  readonly #replies: Frame[] = [];
  #maxStreamId = MAX_STREAM_ID;
  #isIntroduced = false;
  #isClosed = false;

  /**
   * @param asset the receiver's.
   * @param frames those of the client's packet.
   */
  constructor(asset: Asset, frames: readonly Frame[]) {
    this.#asset = asset;
    this.#frames = frames;
  }

  /**
   * Does what the packet's frames ask for, apart from dividing its money. Frames that only tell the client's own limits
   * have no consequence, because a receiver sends neither money nor data.
   * @returns whether they keep to the limits. Otherwise the packet is to be rejected.
   */
  heed(): boolean {
    for (const frame of this.#frames) if (!this.#open(frame)) return false;
    for (const frame of this.#frames) this.#control(frame);
    let end = 0n;
    for (const stream of this.#streams.values()) end += stream.end;
    return end <= MAX_DATA;
  }

  /**
   * Divides the packet's money among its streams by their shares, each part rounded down (RFC 29 §5.3.8). Only the
   * client's own count of a stream comes from it. The payment gets the whole amount.
   * @param amount what has arrived, in smallest units of the receiver's asset, 0 to 2^64−1.
   * @returns whether all these streams are open. Otherwise the packet is to be rejected.
   * @throws {RangeError} when the shares add up to nothing, or to more than 2^64−1.
   */
  divide(amount: bigint): boolean {
    const money = this.#frames.filter(isMoney);
    const total = money.reduce((sum, { shares }) => sum + toBigint(shares), 0n);
    if (total > MAX_STATED || (total === 0n && money.length > 0)) throw new RangeError('shares that divide nothing');
    for (const { streamId, shares } of money) {
      const stream = this.#streams.get(streamId.toNumber());
      if (!stream?.isOpen) {
        this.#replies.unshift(new StreamCloseFrame(streamId, ErrorCode.StreamStateError, 'stream is closed'));
        return false;
      }
      stream.received += (amount * toBigint(shares)) / total;
    }
    return true;
  }

  /** The frames of the answer to a packet that is rejected. */
  get rejecting(): Frame[] {
    return [MAX_DATA_FRAME, ...this.#replies];
  }

  /**
   * The frames of the answer to a packet that is fulfilled. A client that has told its address, as it does first, hears
   * what its streams take.
   */
  get fulfilling(): Frame[] {
    const frames: Frame[] = [MAX_DATA_FRAME];
    if (this.#isIntroduced && !this.#isClosed) {
      for (const [id, { received }] of this.#streams)
        frames.push(new StreamMaxMoneyFrame(id, ANY_AMOUNT, received.toString()), new StreamMaxDataFrame(id, MAX_STREAM_DATA));
    }
    frames.push(...this.#replies);
    return frames;
  }

  /**
   * Opens the stream that a frame names, if it has not been opened.
   * @returns false when the client may not open it. The connection closes then (RFC 29 §4.4.1).
   */
  #open(frame: Frame): boolean {
    if (!opensStream(frame)) return true;
    const { streamId } = frame;
    if (streamId.isEven()) return this.#fail(ErrorCode.ProtocolViolation, 'clients open streams with odd ids');
    if (streamId.greaterThan(MAX_STREAM_ID)) return this.#fail(ErrorCode.StreamIdError, 'too many streams');
    const id = streamId.toNumber();
    if (!this.#streams.has(id)) this.#streams.set(id, { isOpen: true, end: 0n, received: 0n });
    return true;
  }

  #fail(code: ErrorCode, message: string): false {
    this.#replies.push(new ConnectionCloseFrame(code, message));
    return false;
  }

  #control(frame: Frame): void {
    if (frame.type === FrameType.ConnectionNewAddress) this.#introduce();
    else if (frame.type === FrameType.ConnectionClose) this.#close();
    else if (frame.type === FrameType.StreamClose) this.#closeStream(frame);
    else if (frame.type === FrameType.StreamData) this.#takeData(frame);
  }

  /**
   * Tells a client that tells its address how many streams it may open, and the receiver's asset (RFC 29 §4.3.3). Once
   * is enough: frames of three bytes must not make a long answer.
   */
  #introduce(): void {
    if (this.#isIntroduced) return;
    this.#isIntroduced = true;
    const { assetCode, assetScale } = this.#asset;
    this.#replies.push(new ConnectionMaxStreamIdFrame(this.#maxStreamId), new ConnectionAssetDetailsFrame(assetCode, assetScale));
  }

  /** Neither end keeps a connection half open (RFC 29 §5.3.1), so money beside this frame has no stream any more. */
  #close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams.values()) stream.isOpen = false;
  }

  /** The client may open another stream instead of the one that it closes. */
  #closeStream({ streamId }: StreamCloseFrame): void {
    const stream = this.#streams.get(streamId.toNumber());
    if (!stream?.isOpen) return;
    stream.isOpen = false;
    this.#maxStreamId += 2;
    this.#replies.push(new ConnectionMaxStreamIdFrame(this.#maxStreamId));
  }

  #takeData({ streamId, offset, data }: StreamDataFrame): void {
    const stream = this.#streams.get(streamId.toNumber());
    const end = toBigint(offset) + BigInt(data.length);
    if (stream !== undefined && end > stream.end) stream.end = end;
  }
}

type OpeningFrame = StreamMoneyFrame | StreamDataFrame | StreamMaxMoneyFrame | StreamMaxDataFrame;

/** Tells whether a frame opens the stream that it names. A client may tell its own limits before it sends anything. */
const opensStream = (frame: Frame): frame is OpeningFrame =>
  frame.type === FrameType.StreamMoney ||
  frame.type === FrameType.StreamData ||
  frame.type === FrameType.StreamMaxMoney ||
  frame.type === FrameType.StreamMaxData;

const isMoney = (frame: Frame): frame is StreamMoneyFrame => frame.type === FrameType.StreamMoney;
