import classes from './status.module.css';

export type Tone = 'good' | 'busy' | 'warning' | 'bad' | 'idle';

/** A state in words with a dot in its colour; the colour never says anything the words do not. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.status}>
      <span className={classes.dot} data-tone={tone} aria-hidden />
      {children}
    </span>
  );
}
