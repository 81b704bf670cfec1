import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { onDesktop } from '../../transport/operator-client.ts';
import { handOver } from '../../transport/session.ts';
import { Confirm } from '../forms/confirm.tsx';
import { readWaysIn } from './ways-in.ts';

const words = messages.ways.takeOver;

/**
 * Lets another person take this browser over while the node is locked. A locked node does not tell who is at the page,
 * so the question before it stands for everybody.
 */
export function SwitchWhileLocked() {
  const [isOffered, setIsOffered] = useState(false);
  const [asking, setAsking] = useState(false);
  const go = useMutation({ mutationFn: handOver });
  useEffect(() => {
    let isHere = true;
    // The window of the desktop app has one person.
    if (!onDesktop()) void readWaysIn().then(({ people }) => isHere && setIsOffered(people.length > 0));
    return () => {
      isHere = false;
    };
  }, []);
  if (!isOffered) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {words.switch}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.switchTitle}
        words={words.whileLocked}
        action={words.handOver}
        busy={go.isPending}
        error={go.error}
        onConfirm={() => go.mutate()}
      />
    </>
  );
}
