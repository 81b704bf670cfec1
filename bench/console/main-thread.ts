import { z } from 'zod';

const TraceEvent = z.looseObject({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number(),
  dur: z.number().optional(),
  tdur: z.number().optional(),
  args: z.record(z.string(), z.unknown()).optional(),
});
const Trace = z.object({ traceEvents: z.array(TraceEvent) });

/** The categories that the browser has to trace so that `mainThread` can read them. */
export const TRACED = ['toplevel', 'loading'];

/** One task of the page's main thread. All times in milliseconds. */
interface Task {
  /** The moment, on the trace's own clock. */
  at: number;
  wall: number;
  /** Processor time of the thread, which other processes do not lengthen. */
  cpu: number;
}

/**
 * The tasks of a page's main thread, in the order they ran: while one runs, the page answers to nothing.
 * @param trace as `browser.stopTracing()` gives it, of a browser that shows one page
 * @returns `firstPaint` on the same clock, when something was painted for the first time during the trace
 * @throws Error when the browser noted no tasks
 */
export function mainThread(trace: Buffer): { tasks: Task[]; firstPaint: number | undefined } {
  const { traceEvents } = Trace.parse(JSON.parse(trace.toString()));
  const mains = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const threads = mains.map(({ pid, tid }) =>
    traceEvents
      .filter((event) => event.name === 'ThreadControllerImpl::RunTask' && event.pid === pid && event.tid === tid)
      .map(({ ts, dur = 0, tdur = 0 }): Task => ({ at: ts / 1_000, wall: dur / 1_000, cpu: tdur / 1_000 })),
  );
  // The browser keeps a spare process for the next page. It has a main thread, too, which does nothing.
  const [busiest] = threads.sort((a, b) => b.length - a.length);
  if (busiest === undefined || busiest.length === 0) throw new Error('the browser noted no tasks');
  const painted = traceEvents.find(({ name }) => name === 'firstContentfulPaint');
  return { tasks: busiest.sort((a, b) => a.at - b.at), firstPaint: painted && painted.ts / 1_000 };
}

/**
 * The longest task of each second, sorted: what a person notices of a page that is busy all the time. In milliseconds.
 */
export function longestPerSecond(tasks: readonly Task[], time: 'wall' | 'cpu'): Float64Array {
  const longest = new Map<number, number>();
  for (const task of tasks) {
    const second = Math.floor(task.at / 1_000);
    longest.set(second, Math.max(longest.get(second) ?? 0, task[time]));
  }
  return Float64Array.from(longest.values()).sort();
}
