import type { ReactNode } from 'react';
import classes from './split.module.css';

/** Two columns, of which the first is wider. On a narrow screen they stand one below the other. */
export function Split({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className={classes.split}>
      <div className={classes.column}>{main}</div>
      <div className={classes.column}>{side}</div>
    </div>
  );
}
