/** The moments at which a test may end the process, as if the power had failed. */
const FAIL_POINTS = [
  'before-commit',
  'after-commit',
  'before-fulfil',
  'after-fulfil',
  'after-hold',
  'before-post',
  'restore-step',
  'upgrade-step',
  'removed-some',
  'archive-step',
  'peering-step',
  'move-step',
  'rate-step',
  'refund-step',
  'claim-step',
  'closing-step',
  'receipt-step',
  'waiting-step',
] as const;
export type FailPoint = (typeof FAIL_POINTS)[number];

const ARMED = new RegExp(`^(${FAIL_POINTS.join('|')}):([1-9]\\d*)$`);

let passed: ((point: FailPoint) => void) | undefined;

/**
 * Arms one fail point. With the text `before-commit:12` the process ends with SIGKILL when it passes the point for the
 * twelfth time. Only crash tests use it. In a node without an armed point, passing a point costs one comparison.
 */
export function armFailPoint(text: string | undefined): void {
  const match = ARMED.exec(text ?? '');
  if (match === null) return;
  let hits = Number(match[2]);
  passed = (point) => {
    if (point !== match[1]) return;
    hits -= 1;
    if (hits === 0) process.kill(process.pid, 'SIGKILL');
  };
}

/**
 * Calls `watch` for every point that is passed. A simulator uses it, because it ends a node in its own way. Without
 * `watch` the calls end.
 */
export function watchFailPoints(watch?: (point: FailPoint) => void): void {
  passed = watch;
}

/** Ends the process here if this point is armed and has been passed often enough. */
export function failPoint(point: FailPoint): void {
  passed?.(point);
}
