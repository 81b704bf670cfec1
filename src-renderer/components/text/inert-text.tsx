import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText, shortened } from '../../../src-shared/words/inert-text.ts';
import { Breakable } from './breakable.tsx';
import classes from './inert-text.module.css';

/**
 * Shows text that came from outside. It cannot turn the direction of the text around it. A long text is cut, with a
 * button that shows the rest.
 */
export function InertText({ text, length = 80, expands = true }: { text: string; length?: number; expands?: boolean }) {
  const [open, setOpen] = useState(false);
  const inert = inertText(text);
  const short = shortened(inert, length);
  const isWhole = short.whole || open;
  const shown = (
    <bdi className={classes.text}>
      <Breakable text={isWhole ? inert : short.text} />
    </bdi>
  );
  if (isWhole || !expands) return shown;
  return (
    <>
      {shown}{' '}
      <UnstyledButton className={classes.more} onClick={() => setOpen(true)}>
        {messages.common.showAll}
      </UnstyledButton>
    </>
  );
}
