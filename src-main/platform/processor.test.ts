import { expect, it } from 'vitest';
import { heldMemory, processorMs, threadMs } from './processor.ts';

it('a thread pays for its work, and not for the time in which it stands still', () => {
  const [used, thread] = [processorMs(), threadMs()];
  while (threadMs() - thread < 50);
  expect(processorMs() - used).toBeGreaterThanOrEqual(50);
  const before = threadMs();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  expect(threadMs() - before).toBeLessThan(100);
});

it('memory that is held is counted, outside the heap too', () => {
  const before = heldMemory();
  const buffer = Buffer.alloc(64 * 1024 * 1024);
  expect(heldMemory() - before).toBeGreaterThan(buffer.length / 2);
});
