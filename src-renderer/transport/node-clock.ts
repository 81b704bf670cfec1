import { useEffect, useState } from 'react';

let nodeTime = 0;
let readAt = 0;

/** Sets the clock to the node's time. The clock of the page's computer may be wrong. */
export function setNodeTime(now: Date): void {
  nodeTime = now.getTime();
  readAt = performance.now();
}

/** The node's time. */
export const nodeNow = (): Date => new Date(nodeTime + performance.now() - readAt);

/** The node's time, read anew every `everyMs` while the component is shown. */
export function useNodeTime(everyMs: number): Date {
  const [now, setNow] = useState(nodeNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(nodeNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
