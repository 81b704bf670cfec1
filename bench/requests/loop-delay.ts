import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

// A node loads this before anything else. At each SIGUSR2 it writes how late its event loop was since the one before,
// in milliseconds at the 99th percentile.

const RESOLUTION_MS = 10;

const file = process.env.PAYDESK_BENCH_LOOP_DELAY;
if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(file, String(Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS)));
    delay.reset();
  });
}
