import type { ReactNode } from 'react';
import { Breakable } from './breakable.tsx';
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

/** A text to give away, and beside its last line the way to copy it. */
export function Copyable({ value, what, literal = false, children }: CopyableProps) {
  return (
    <span className={classes.copyable} data-literal={literal || undefined}>
      <span className={classes.text}>
        {children ?? (
          <bdi>
            <Breakable text={value} />
          </bdi>
        )}
      </span>
      <span className={classes.copy}>
        <Copy value={value} what={what.toLowerCase()} />
      </span>
    </span>
  );
}
