import fc from 'fast-check';
import { deserializeIlpReject, type IlpPrepare, type IlpReply } from 'ilp-packet';
import { IlpPacketType, Packet } from 'ilp-protocol-stream/dist/src/packet.js';
import { describe, expect, it } from 'vitest';
import { type Clock, ManualClock, systemClock } from '../platform/clock.ts';
import { amountTooLarge, reject } from './packets.ts';
import type { PeerRoute } from './peer-links.ts';
import { Prober } from './prober.ts';
import { encryptFor } from './stream-answers.ts';
import { NODE_ADDRESS, TestNetwork, USD } from './testing/network.ts';

const sharedSecret = Buffer.alloc(32, 4);
const route: PeerRoute = {
  ...{ peerId: 'peer', ilpAddress: 'test.peer', asset: USD },
  ...{ maxPacketAmount: undefined, deduplicates: false, direct: false },
};

type Answer = (prepare: IlpPrepare) => Promise<IlpReply | undefined> | IlpReply | undefined;

/** Measures a way that answers as the test says. It also gives back the packets that the way saw. */
async function measure(answer: Answer, { patienceMs = 4_000, way = route, clock = systemClock as Clock } = {}) {
  const seen: IlpPrepare[] = [];
  const forwarder = {
    probe: async (_route: PeerRoute, prepare: IlpPrepare) => {
      seen.push(prepare);
      return await answer(prepare);
    },
  };
  const prober = new Prober({ forwarder, clock });
  const deadlineMs = clock.now() + patienceMs;
  return { seen, measured: await prober.probe({ route: way, destinationAddress: 'test.peer.token', sharedSecret, deadlineMs }) };
}

/** What a receiver answers to the `sequence`th packet when so much arrives. */
function told(sequence: number, arrived: bigint, code = 'F99', secret = sharedSecret, kind = IlpPacketType.Reject): IlpReply {
  const packet = new Packet(sequence, kind, arrived.toString());
  return deserializeIlpReject(reject('test.receiver', code, '', encryptFor(secret, packet._serialize())).bytes);
}
const sequenceOf = new Map(['1000', '1000000', '1000000000', '1000000000000'].map((amount, index) => [amount, index + 1]));
const atRate =
  (numerator: bigint, denominator: bigint, code = 'F99'): Answer =>
  ({ amount }) =>
    told(sequenceOf.get(amount) ?? 5, (BigInt(amount) * numerator) / denominator, code);

describe('prober', () => {
  it.each(['F99', 'F05'])('reads what would arrive from an %s', async (code) => {
    const { seen, measured } = await measure(atRate(9137n, 10_000n, code));
    expect(measured).toEqual({ ok: true, value: { numerator: 913_700_000_000n, denominator: 1_000_000_000_000n } });
    expect(seen).toHaveLength(4);
    expect(new Set(seen.map(({ executionCondition }) => executionCondition.toString('hex'))).size).toBe(4);
  });

  it('measures what the library’s own receiver would get', async () => {
    const network = new TestNetwork();
    network.clock.advance(systemClock.now() - network.clock.now());
    const { ilpAddress: destinationAddress, sharedSecret: secret } = await network.receivers.credentials('invoice-1', USD);
    const opened = network.receivers.open(destinationAddress);
    if (opened === undefined) throw new Error('no such receiver');
    const forwarder = {
      probe: async (_route: PeerRoute, prepare: IlpPrepare): Promise<IlpReply> => {
        try {
          return await network.receivers.receive(opened, { ...prepare, amount: BigInt(prepare.amount) * 2n });
        } catch (error) {
          const { ilpErrorCode = 'F00', ilpErrorData } = error as { ilpErrorCode?: string; ilpErrorData?: Buffer };
          return deserializeIlpReject(reject(NODE_ADDRESS, ilpErrorCode, '', ilpErrorData).bytes);
        }
      },
    };
    const prober = new Prober({ forwarder, clock: systemClock });
    const probe = { route, destinationAddress, sharedSecret: secret, deadlineMs: systemClock.now() + 4_000 };
    const measured = await prober.probe(probe);
    expect(measured.ok && measured.value.numerator === 2n * measured.value.denominator).toBe(true);
  });

  it('asks again with the largest packet that the way takes', async () => {
    const most = 123_456n;
    const { seen, measured } = await measure((prepare) => {
      const amount = BigInt(prepare.amount);
      if (amount > most) return deserializeIlpReject(amountTooLarge('test.far', amount, most).bytes);
      return told(amount === 1_000n ? 1 : 5, amount * 3n);
    });
    expect(measured).toEqual({ ok: true, value: { numerator: 3n * most, denominator: most } });
    expect(seen.map(({ amount }) => amount)).toEqual(['1000', '1000000', '1000000000', '1000000000000', '123456']);
  });

  it('goes on when somebody puts the clock forward meanwhile', async () => {
    const clock = new ManualClock(systemClock.now());
    const { seen } = await measure(
      ({ amount }) => {
        clock.jump(3_600_000);
        return deserializeIlpReject(amountTooLarge('test.far', BigInt(amount), 500n).bytes);
      },
      { clock },
    );
    expect(seen.at(-1)?.amount).toBe('500');
  });

  it('sends nothing larger than the peer takes', async () => {
    const { seen } = await measure(() => undefined, { way: { ...route, maxPacketAmount: 5_000n } });
    expect(seen.map(({ amount }) => amount)).toEqual(['1000', '5000']);
  });

  it('believes nobody on the way: no answer with another key, to another packet, of another kind, or without data', async () => {
    const liars: Answer[] = [
      () => told(1, 10n ** 15n, 'F99', Buffer.alloc(32, 5)),
      () => told(77, 10n ** 15n),
      ({ amount }) => told(sequenceOf.get(amount) ?? 0, 10n ** 15n, 'F99', sharedSecret, IlpPacketType.Fulfill),
      () => deserializeIlpReject(reject('test.far', 'T04', '').bytes),
      () => ({ fulfillment: Buffer.alloc(32), data: Buffer.alloc(0) }),
      () => undefined,
    ];
    for (const liar of liars) expect((await measure(liar)).measured).toEqual({ ok: false, error: 'unreachable' });
  });

  it('does not fail over any bytes in an answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.constantFrom('F08', 'F99', 'F05'), async (bytes, code) => {
        const reply = deserializeIlpReject(reject('test.far', code, '', Buffer.from(bytes)).bytes);
        expect((await measure(() => reply)).measured.ok).toBe(false);
      }),
    );
  });

  it('ends in time, with what has come until then', async () => {
    const { measured } = await measure(({ amount }) => (amount === '1000' ? told(1, 500n) : new Promise<undefined>(() => undefined)), {
      patienceMs: 1_000,
    });
    expect(measured).toEqual({ ok: true, value: { numerator: 500n, denominator: 1_000n } });
  });
});
