import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../platform/clock.ts';
import { yieldToOthers } from '../platform/thread-priority.ts';
import { auditForEver } from './audit-loop.ts';
import { AuditPace, usedByOtherThreads } from './pace.ts';

// The thread that checks the books; see AuditThread.
const port = parentPort;
if (port === null) throw new Error('the audit runs in a thread');
yieldToOthers();
await auditForEver({
  file: workerData as string,
  clock: systemClock,
  pace: new AuditPace(systemClock, usedByOtherThreads),
  rest: (ms) => setTimeout(ms),
  tell: async (news) => {
    const taken = once(port, 'message');
    port.postMessage(news);
    await taken;
  },
});
