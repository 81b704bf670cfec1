import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { Connector } from '../../src-main/ilp/connector.ts';
import { StreamReceivers } from '../../src-main/ilp/stream-receivers.ts';
import { StreamSender } from '../../src-main/ilp/stream-sender.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { createLogger } from '../../src-main/platform/logs/logger.ts';

// What STREAM and the connector cost by themselves: payments between two accounts of one node with a ledger that
// accepts everything at once. Run by `node bench/payments/ilp-micro.ts`.

const asset = { assetCode: 'USD', assetScale: 2 };
const nodeAddress = 'private.paydesk.bench';
const log = createLogger('silent');
const receivers = new StreamReceivers({ secret: Buffer.alloc(32, 7), nodeAddress });

function network(maxPacketAmount?: bigint): { sender: StreamSender; packets: () => number } {
  let packets = 0;
  const connector = new Connector({
    nodeAddress,
    receivers,
    clock: systemClock,
    log,
    maxPacketAmount,
    accept: () => {
      packets += 1;
      return Promise.resolve({ ok: true, value: undefined });
    },
  });
  return { sender: new StreamSender({ connector, clock: systemClock, log }), packets: () => packets };
}

async function pay(sender: StreamSender, id: string, amount: bigint): Promise<void> {
  const { ilpAddress, sharedSecret } = await receivers.credentials(id, asset);
  const outcome = await sender.send({
    sender: { outgoingPaymentId: id, attempt: 1 },
    destinationAddress: ilpAddress,
    sharedSecret,
    sourceAsset: asset,
    amount,
    signal: new AbortController().signal,
    deadlineMs: systemClock.now() + 30_000,
  });
  if (outcome.ended !== 'sent') throw new Error(`a payment ended as ${outcome.ended}`);
}

/**
 * Runs `count` payments, `width` at a time.
 * @returns the time of each in milliseconds, sorted, and the rate per second.
 */
async function payments(sender: StreamSender, count: number, width: number): Promise<{ times: number[]; perSecond: number }> {
  const times: number[] = [];
  const start = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const id = `00000000-0000-4000-8000-${String(next++).padStart(12, '0')}`;
      const began = performance.now();
      await pay(sender, id, 100n);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return { times: times.sort((a, b) => a - b), perSecond: (count / (performance.now() - start)) * 1_000 };
}

const at = (sorted: number[], share: number): string => `${(sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(2)} ms`;

async function main(): Promise<void> {
  const { sender } = network();
  await payments(sender, 1_000, 1);
  console.log(`Node ${process.version}, ${availableParallelism()} cores`);
  for (const width of [1, 32]) {
    const { times, perSecond } = await payments(sender, 10_000, width);
    console.log(`small payments, ${width} at a time: ${perSecond.toFixed(0)}/s, p50 ${at(times, 0.5)}, p99 ${at(times, 0.99)}`);
  }
  const chunked = network(10n);
  const start = performance.now();
  await pay(chunked.sender, 'one-large', 200_000n);
  const seconds = (performance.now() - start) / 1_000;
  console.log(`one payment in ${chunked.packets()} packets: ${(chunked.packets() / seconds).toFixed(0)} packets/s`);
  const issuing = performance.now();
  for (let n = 0; n < 20_000; n++) await receivers.credentials(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, asset);
  console.log(`credentials of a new payment: ${(((performance.now() - issuing) * 1_000) / 20_000).toFixed(1)} µs`);
  console.log(`heap after all of it: ${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(0)} MiB`);
}

await main();
