import { Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  title?: ReactNode;
  /** A link or a button beside the title. */
  aside?: ReactNode;
  /** Whether the content reaches from edge to edge, as the rows of a list do. */
  flush?: boolean;
  accent?: boolean;
  children: ReactNode;
}

/** A part of a screen about one subject, with its heading. */
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
