import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { useReporting } from '../../transport/reporting.ts';
import { handOver } from '../../transport/session.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { you } from '../../transport/you.ts';
import { Confirm } from '../forms/confirm.tsx';
import { comesBack } from './comes-back.ts';

const words = messages.ways.takeOver;

interface Switching {
  /** Whether there is anybody to hand over to. Who works alone has nobody. */
  isOffered: boolean;
  isBusy: boolean;
  start: () => void;
  /** Asks those who come back only with a new link. It has to be rendered. */
  question: ReactNode;
}

/** Hands the browser over: the session ends, and the screen asks who is there. */
export function useSwitchPerson(): Switching {
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
  return {
    isOffered: current?.isShared === true && current.person !== null,
    isBusy: look.isPending || go.isPending,
    start: () => look.mutate(),
    question: (
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
    ),
  };
}
