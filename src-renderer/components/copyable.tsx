import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';
import classes from './copyable.module.css';

interface CopyableProps {
  value: string;
  /** What it is called, for those who cannot see its name beside it. */
  what: string;
  /** Set in letters of one width, for what is compared sign by sign. */
  literal?: boolean;
  /** How it is shown, when not as it stands. */
  children?: ReactNode;
}

/** A text to give away, and right behind its last letter, on whichever line that is, the way to copy it. */
export function Copyable({ value, what, literal = false, children }: CopyableProps) {
  return (
    <span className={classes.copyable} data-literal={literal || undefined}>
      {children ?? <bdi>{value}</bdi>}
      {/* Without a break between the two, the icon takes the last letters with it to the next line. */}
      {'\u00a0'}
      <span className={classes.copy}>
        <Copy value={value} what={what.toLowerCase()} />
      </span>
    </span>
  );
}
