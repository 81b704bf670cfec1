import type { ReactNode } from 'react';
import classes from './columns.module.css';

/** One step of time: its columns side by side, and what is said of it. */
export interface Step {
  readonly key: string;
  readonly title: string;
  readonly columns: readonly { readonly side: 'received' | 'sent'; readonly value: bigint }[];
}

interface ColumnsProps {
  steps: readonly Step[];
  /** What stands below: at the first step, in the middle and at the last one. */
  axis: readonly [first: ReactNode, middle: ReactNode, last: ReactNode];
}

const WIDTH = 600;
const HEIGHT = 132;
/** The part of a step's width that its columns leave empty. */
const GAP = 0.36;
/** The least height of a column with money in it. */
const SEEN = 2;
const PARTS = 10_000n;

/** The most that a column shows, in smallest units. */
export const mostOf = (steps: readonly Step[]): bigint =>
  steps.flatMap(({ columns }) => columns).reduce((max, { value }) => (value > max ? value : max), 0n);

/** Draws amounts over time as columns. What it shows stands beside it as a table, too. */
export function Columns({ steps, axis }: ColumnsProps) {
  const most = mostOf(steps);
  const width = WIDTH / steps.length;
  // The amounts are divided as whole numbers first, because they may be larger than a floating-point number holds
  // exactly.
  const height = (value: bigint): number =>
    most === 0n || value === 0n ? 0 : Math.max(SEEN, (Number((value * PARTS) / most) / Number(PARTS)) * HEIGHT);
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={classes.columns} aria-hidden>
        {steps.map(({ key, title, columns }, index) => (
          <g key={key} className={classes.step}>
            <title>{title}</title>
            <rect x={index * width} y={0} width={width} height={HEIGHT} className={classes.slot} />
            {columns.map(({ side, value }, place) => (
              <rect
                key={side}
                x={index * width + (width * GAP) / 2 + (place * width * (1 - GAP)) / columns.length}
                y={HEIGHT - height(value)}
                width={(width * (1 - GAP)) / columns.length}
                height={height(value)}
                rx={1}
                data-side={side}
                className={classes.column}
              />
            ))}
          </g>
        ))}
      </svg>
      <div className={classes.axis} aria-hidden>
        {axis.map((text, place) => (
          <span key={['first', 'middle', 'last'][place]}>{text}</span>
        ))}
      </div>
    </>
  );
}
