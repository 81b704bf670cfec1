import type { TablerIcon } from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import { Card } from './card.tsx';
import { Empty } from './empty.tsx';
import { ButtonLink } from './links.tsx';

interface EmptyListProps {
  icon: TablerIcon;
  title: string;
  advice: string;
  /** What leads on from here. */
  link?: { to: NonNullable<LinkProps['to']>; words: string };
  /** Whether the card of the list has no space around its rows. */
  flush?: boolean;
}

/** Stands in the place of a card whose list has no rows. */
export function EmptyList({ icon, title, advice, link, flush = false }: EmptyListProps) {
  const action = link && (
    <ButtonLink to={link.to} variant="default">
      {link.words}
    </ButtonLink>
  );
  return (
    <Card flush={flush}>
      <Empty icon={icon} title={title} advice={advice} action={action} />
    </Card>
  );
}
