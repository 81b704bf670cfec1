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
 * The processor time that this thread has used so far, in milliseconds. It takes about a microsecond to read, so it can
 * be read for each request. The time in which other programs keep the processor from this thread is not in it.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * The memory that objects and buffers hold, in bytes. What the process keeps free for later is not in it. Only the
 * engine is asked: `process.memoryUsage` also opens a file of the system, and throws while the process may open none.
 */
export function heldMemory(): number {
  const { used_heap_size: heapUsed, external_memory: external } = getHeapStatistics();
  return heapUsed + external;
}
