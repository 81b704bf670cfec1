import { Code } from '@mantine/core';
import { Copy } from './copy.tsx';
import classes from './copyable-block.module.css';

interface CopyableBlockProps {
  value: string;
  /** The name of the text, for users of screen readers. */
  what: string;
}

/**
 * A command, a folder or a text of several lines in its own block, with a button that copies it. No line of a command
 * ends within a word such as `--data-dir`.
 */
export function CopyableBlock({ value, what }: CopyableBlockProps) {
  return (
    <div className={classes.block}>
      <Code block dir="auto" className={classes.text}>
        {value.includes('\n') ? value : <WholeWords text={value} />}
      </Code>
      <Copy value={value} what={what} />
    </div>
  );
}

function WholeWords({ text }: { text: string }) {
  return [...text.matchAll(/\S+\s*/g)].map(({ 0: word, index: start }) => (
    <span key={start} className={classes.word}>
      {word}
    </span>
  ));
}
