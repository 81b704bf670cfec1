import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Names and values, one pair a line. A pair without a value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) =>
        value === undefined || value === null ? null : (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? <span dir="auto">{value}</span> : value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
