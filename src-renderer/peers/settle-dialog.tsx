import { SegmentedControl } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Peer } from '../../src-shared/operator-contract/peers.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { isFixed, MoneyDialog, useMoneyForm } from '../components/forms/money-dialog.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { positionText } from './peer-text.ts';

const words = messages.peers;

/** Records that money was paid outside. However often one dialog is sent, it has one effect. */
export function SettleDialog({ peer, opened, onClose }: { peer: Peer; opened: boolean; onClose: () => void }) {
  const form = useMoneyForm(peer);
  const [direction, setDirection] = useState<'received' | 'paid'>(peer.position > 0n ? 'paid' : 'received');
  const report = useReporting();
  const settle = useMutation(
    queries.peers.settle.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.settled, 'peers');
      },
    }),
  );
  const { requestId, note, tried, amount } = form;
  // What the peer pays increases what this node owes it. What this node pays decreases it.
  const after = amount === undefined ? undefined : peer.position + (direction === 'received' ? amount : -amount);
  return (
    <MoneyDialog
      title={words.settleTitle({ name: inertText(peer.name) })}
      lead={words.settleWords}
      asset={peer}
      form={form}
      operation={settle}
      words={words}
      fault={tried && amount === undefined ? words.amountNeeded : undefined}
      facts={[
        [words.position, positionText(peer)],
        [words.afterwards, after === undefined || settle.isSuccess ? messages.common.none : positionText({ ...peer, position: after })],
      ]}
      action={words.record}
      opened={opened}
      onSubmit={() => amount !== undefined && settle.mutate({ id: peer.id, requestId, direction, amount, note: note.trim() })}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={words.settleWay}
        value={direction}
        onChange={(way) => setDirection(way === 'paid' ? 'paid' : 'received')}
        disabled={isFixed(settle)}
        data={[
          { value: 'received', label: words.received },
          { value: 'paid', label: words.paid },
        ]}
      />
    </MoneyDialog>
  );
}
