import classes from './status.module.css';

export type Tone = 'good' | 'busy' | 'warning' | 'bad' | 'idle';

/** A state in words with a coloured dot. The colour says nothing that the words do not say. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.status}>
      <span className={classes.dot} data-tone={tone} aria-hidden />
      {children}
    </span>
  );
}
