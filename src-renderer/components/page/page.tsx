import { Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { AnchorLink } from './links.tsx';
import classes from './page.module.css';

const UP = {
  '/get-paid': 'getPaid',
  '/payments': 'payments',
  '/approvals': 'approvals',
  '/apps': 'apps',
  '/accounts': 'accounts',
  '/peers': 'peers',
  '/health': 'health',
  '/closings': 'closings',
} as const;

interface PageProps {
  title: ReactNode;
  lead?: ReactNode;
  /** The list this page belongs to. */
  up?: keyof typeof UP;
  actions?: ReactNode;
  /** `reading` for pages of text and forms. */
  width?: 'content' | 'reading';
  /** Whether the page shows a paper. What is printed then is the paper alone, which has a head of its own. */
  isPaper?: boolean;
  children: ReactNode;
}

/** The frame of a screen: its way up, its title and its actions. */
export function Page({ title, lead, up, actions, width = 'content', isPaper = false, children }: PageProps) {
  return (
    <Stack gap="lg" className={width === 'reading' ? classes.reading : classes.content}>
      <Stack gap={6} className={isPaper ? classes.unprinted : undefined}>
        {up !== undefined && (
          <AnchorLink to={up} size="sm" className={classes.up}>
            <IconArrowLeft size={16} aria-hidden />
            {messages.common.back(UP[up])}
          </AnchorLink>
        )}
        <Group justify="space-between" align="center" gap="sm">
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {actions}
        </Group>
        {lead !== undefined && (
          <Text c="dimmed" maw="68ch">
            {lead}
          </Text>
        )}
      </Stack>
      {children}
    </Stack>
  );
}
