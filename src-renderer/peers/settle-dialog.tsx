import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fromDecimal, MAX_MOVED } from '../../src-shared/amounts.ts';
import type { Peer } from '../../src-shared/operator-contract/peers.ts';
import { AmountInput, amountFault } from '../components/amount-input.tsx';
import { Facts } from '../components/facts.tsx';
import { Failure } from '../components/failure.tsx';
import { outcomeUnknown } from '../error-text.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { messages } from '../messages.ts';
import { queries } from '../operator-client.ts';
import { useReporting } from '../reporting.ts';
import { positionText } from './peer-words.ts';

const words = messages.peers;

/** Writes down that money changed hands outside. One dialog is one intention: however often it is sent, it has one effect. */
export function SettleDialog({ peer, opened, onClose }: { peer: Peer; opened: boolean; onClose: () => void }) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [direction, setDirection] = useState<'received' | 'paid'>(peer.position > 0n ? 'paid' : 'received');
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const settle = useMutation(
    queries.peers.settle.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.settled, 'peers');
      },
    }),
  );
  const value = fromDecimal(text, peer.assetScale);
  const amount = value !== undefined && value > 0n && value <= MAX_MOVED ? value : undefined;
  const fixed = settle.isPending || outcomeUnknown(settle.error);
  // What they pay makes what this node owes them larger, and the other way round.
  const after = amount === undefined ? undefined : peer.position + (direction === 'received' ? amount : -amount);
  const fault = tried && amount === undefined && amountFault(text, peer) === undefined ? words.amountNeeded : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (amount !== undefined) settle.mutate({ id: peer.id, requestId, direction, amount, note: note.trim() });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={words.settleTitle(inertText(peer.name))} closeOnClickOutside={!settle.isPending}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {words.settleWords}
          </Text>
          <SegmentedControl
            aria-label={words.settleWay}
            value={direction}
            onChange={(way) => setDirection(way === 'paid' ? 'paid' : 'received')}
            disabled={fixed}
            data={[
              { value: 'received', label: words.received },
              { value: 'paid', label: words.paid },
            ]}
          />
          <AmountInput
            label={words.amount}
            asset={peer}
            value={text}
            onChange={setText}
            error={fault}
            disabled={fixed}
            required
            data-autofocus
          />
          <TextInput
            label={words.note}
            description={words.noteHint}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={500}
            disabled={fixed}
          />
          <Facts
            facts={[
              [words.position, positionText(peer)],
              [
                words.afterwards,
                after === undefined || settle.isSuccess ? messages.common.none : positionText({ ...peer, position: after }),
              ],
            ]}
          />
          <Failure error={settle.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {messages.common.cancel}
            </Button>
            <Button type="submit" loading={settle.isPending}>
              {outcomeUnknown(settle.error) ? messages.common.tryAgain : words.record}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
