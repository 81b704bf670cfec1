/** The moments at which a test may let the power fail. */
export type FailPoint = 'before-commit' | 'after-commit' | 'before-fulfil' | 'after-fulfil' | 'after-hold' | 'before-post' | 'restore-step';

let passed: ((point: FailPoint) => void) | undefined;

/**
 * Arms one fail point from text such as `before-commit:12`: the process dies by SIGKILL when it passes the point for the
 * twelfth time. For crash tests only; a node that is not armed pays one comparison.
 */
export function armFailPoint(text: string | undefined): void {
  const match = /^(before-commit|after-commit|before-fulfil|after-fulfil|after-hold|before-post|restore-step):([1-9]\d*)$/.exec(text ?? '');
  if (match === null) return;
  let hits = Number(match[2]);
  passed = (point) => {
    if (point !== match[1]) return;
    hits -= 1;
    if (hits === 0) process.kill(process.pid, 'SIGKILL');
  };
}

/** Tells `watch` of every point that is passed: a simulator has its own way of letting a node die. Without `watch` nobody is told any more. */
export function watchFailPoints(watch?: (point: FailPoint) => void): void {
  passed = watch;
}

/** Dies here if this point is armed and has been passed often enough. */
export function failPoint(point: FailPoint): void {
  passed?.(point);
}
