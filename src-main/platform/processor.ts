import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * The processor time that this process has used so far, with all its threads, in milliseconds. Asking the system takes
 * a while.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * The time that the node's own thread has been busy so far, in milliseconds. Other than {@link processorMs} it asks the
 * system for nothing, so it can be read for each request.
 */
export const busyMs = (): number => performance.eventLoopUtilization().active;

/**
 * The memory that objects and buffers hold, in bytes. What the process keeps free for later is not in it. Only the
 * engine is asked: `process.memoryUsage` also opens a file of the system, and throws while the process may open none.
 */
export function heldMemory(): number {
  const { used_heap_size: heapUsed, external_memory: external } = getHeapStatistics();
  return heapUsed + external;
}
