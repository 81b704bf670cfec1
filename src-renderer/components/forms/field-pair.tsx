import type { ReactNode } from 'react';
import classes from './field-pair.module.css';

/** Two fields side by side, or one above the other on a narrow screen. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className={classes.pair}>{children}</div>;
}
