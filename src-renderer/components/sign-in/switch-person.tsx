import { ActionIcon } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { useReporting } from '../../transport/reporting.ts';
import { handOver } from '../../transport/session.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { you } from '../../transport/you.ts';
import { Confirm } from '../forms/confirm.tsx';
import { comesBack } from './comes-back.ts';

const words = messages.ways.takeOver;

/**
 * Hands the browser over: the session ends, and the screen asks who is there. Who works alone has nobody to hand over
 * to. @param props.size of the icon's button, in pixels or as Mantine names it
 */
export function SwitchPerson({ size = 'lg' }: { size?: number | 'lg' }) {
  const current = useStateCell(you);
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const report = useReporting();
  const go = useMutation({ mutationFn: handOver, onError: report.failed });
  const look = useMutation({
    mutationFn: () => comesBack(queryClient),
    onSuccess: (comes) => (comes ? go.mutate() : setAsking(true)),
    onError: report.failed,
  });
  if (current?.isShared !== true || current.person === null) return null;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={size}
        aria-label={words.switch}
        title={words.switch}
        loading={look.isPending || go.isPending}
        onClick={() => look.mutate()}
      >
        <IconUsers size={size === 'lg' ? 20 : 24} stroke={1.7} aria-hidden />
      </ActionIcon>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.switchTitle}
        words={words.switchWords}
        action={words.handOver}
        busy={go.isPending}
        error={go.error}
        onConfirm={() => go.mutate()}
      />
    </>
  );
}
