import { Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  title?: ReactNode;
  /** Beside the title: a link or a button. */
  aside?: ReactNode;
  /** For lists whose rows reach from edge to edge. */
  flush?: boolean;
  accent?: boolean;
  children: ReactNode;
}

/** One subject of a screen, with its heading. */
export function Card({ title, aside, flush = false, accent = false, children }: CardProps) {
  const heading = useId();
  return (
    <section className={classes.card} data-accent={accent || undefined} aria-labelledby={title === undefined ? undefined : heading}>
      {title !== undefined && (
        <Group justify="space-between" gap="sm" className={classes.head} wrap="nowrap">
          <Title order={2} id={heading}>
            {title}
          </Title>
          {aside}
        </Group>
      )}
      <div className={flush ? undefined : classes.body} data-headed={title !== undefined || undefined}>
        {children}
      </div>
    </section>
  );
}
