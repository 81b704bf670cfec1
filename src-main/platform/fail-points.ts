/** The moments at which a test may let the power fail. */
export type FailPoint = 'before-commit' | 'after-commit' | 'before-fulfil' | 'after-fulfil' | 'after-hold' | 'before-post';

let armed: { point: FailPoint; hits: number } | undefined;

/**
 * Arms one fail point from text such as `before-commit:12`: the process dies by SIGKILL when it passes the point for the
 * twelfth time. For crash tests only; a node that is not armed pays one comparison.
 */
export function armFailPoint(text: string | undefined): void {
  const match = /^(before-commit|after-commit|before-fulfil|after-fulfil|after-hold|before-post):([1-9]\d*)$/.exec(text ?? '');
  armed = match ? { point: match[1] as FailPoint, hits: Number(match[2]) } : undefined;
}

/** Dies here if this point is armed and has been passed often enough. */
export function failPoint(point: FailPoint): void {
  if (armed === undefined || armed.point !== point) return;
  armed.hits -= 1;
  if (armed.hits === 0) process.kill(process.pid, 'SIGKILL');
}
