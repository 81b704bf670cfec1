import classes from './reports.module.css';

const PARTS = 1_000n;
const PERCENT = 100;

/** The size of a row beside the largest one. */
export function Bar({ value, most }: { value: bigint; most: bigint }) {
  const share = most <= 0n || value <= 0n ? 0 : (Number((value * PARTS) / most) / Number(PARTS)) * PERCENT;
  return (
    <span className={classes.track} aria-hidden>
      <span className={classes.bar} style={{ width: `${share}%` }} />
    </span>
  );
}
