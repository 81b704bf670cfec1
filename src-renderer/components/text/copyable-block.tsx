import { Code } from '@mantine/core';
import { Copy } from './copy.tsx';
import classes from './copyable-block.module.css';

interface CopyableBlockProps {
  value: string;
  /** What it is called, for those who cannot see its name beside it. */
  what: string;
}

/** A command or a folder in a block of its own, with the way to copy it beside it. */
export function CopyableBlock({ value, what }: CopyableBlockProps) {
  return (
    <div className={classes.block}>
      <Code block className={classes.text}>
        {value}
      </Code>
      <Copy value={value} what={what} />
    </div>
  );
}
