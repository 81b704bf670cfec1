/** The processor time that this process has used so far, with all its threads, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The memory that objects and buffers hold, in bytes. What the process keeps free for later is not in it. */
export function heldMemory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
