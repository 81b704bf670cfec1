import { expect, it } from 'vitest';
import { busyMs, heldMemory, processorMs } from './processor.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve));

it('a thread that works is busy for at least as long, and waiting is no work', async () => {
  await turn();
  const [busy, used] = [busyMs(), processorMs()];
  while (processorMs() - used < 50);
  expect(busyMs() - busy).toBeGreaterThan(0);
  await turn();
  const [before, at] = [busyMs(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(busyMs() - before).toBeLessThan(performance.now() - at);
});

it('memory that is held is counted, outside the heap too', () => {
  const before = heldMemory();
  const buffer = Buffer.alloc(64 * 1024 * 1024);
  expect(heldMemory() - before).toBeGreaterThan(buffer.length / 2);
});
