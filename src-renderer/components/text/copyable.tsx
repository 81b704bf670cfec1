import type { ReactNode } from 'react';
import { Breakable } from './breakable.tsx';
import { Copy } from './copy.tsx';
import classes from './copyable.module.css';

interface CopyableProps {
  value: string;
  /** The name of the text, for users of screen readers. */
  what: string;
  /** Whether all letters have the same width, for text that is compared letter by letter. */
  literal?: boolean;
  /** How the text is shown, when it is not shown as it is. */
  children?: ReactNode;
}

/** A text to give away, with a button beside its last line that copies it. */
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
