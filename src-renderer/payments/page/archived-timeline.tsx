import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { parseUint64 } from '../../../src-shared/amounts.ts';
import type { ArchivedDetails } from '../../../src-shared/operator-contract/payments/archived.ts';
import type { PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../../src-shared/words/date-text.ts';
import { Loaded } from '../../components/page/loaded.tsx';
import { queries } from '../../transport/operator-client.ts';
import { PaymentTimeline } from './payment-timeline.tsx';

const words = messages.payments;
/** How many packets are shown. */
const MOST = 100;

/** What happened to a payment whose details are in the archive. They are read when somebody asks. */
export function ArchivedTimeline({ payment }: { payment: PaymentDetail }) {
  const [asked, setAsked] = useState(false);
  const details = useQuery({ ...queries.payments.archived.queryOptions({ input: { id: payment.id } }), enabled: asked });
  if (!asked || details.isPending) {
    return (
      <Stack gap="sm" align="flex-start">
        <Text>{words.archived}</Text>
        <Button variant="default" onClick={() => setAsked(true)} loading={asked}>
          {words.showArchived}
        </Button>
        <PaymentTimeline payment={payment} />
      </Stack>
    );
  }
  return (
    <Loaded query={details} skeleton={null}>
      {({ timeline, rows, problems, nextCursor }) => (
        <Stack gap="md">
          {problems.map(({ file, state }) => (
            <Alert key={file} color="yellow">
              {words.archiveTroubleText(file, state)}
            </Alert>
          ))}
          {timeline.length === 0 && problems.length === 0 && <Text c="dimmed">{words.archivedNothing}</Text>}
          <PaymentTimeline payment={{ ...payment, timeline: [...timeline, ...payment.timeline] }} />
          <ArchivedPackets payment={payment} rows={rows} areAll={nextCursor === null} />
        </Stack>
      )}
    </Loaded>
  );
}

/** The packets to and from peers, in the currency of the payment's account. */
function ArchivedPackets({ payment, rows, areAll }: { payment: PaymentDetail; rows: ArchivedDetails['rows']; areAll: boolean }) {
  const packets = rows.filter(({ kind }) => kind !== 'events');
  if (packets.length === 0) return null;
  const told = packets.slice(0, MOST).map(({ kind, row }) => {
    const value = parseUint64(String(kind === 'sent' ? row.sourceAmount : row.amount)) ?? 0n;
    const text = words.archivedPacket({
      amount: amountText({ ...payment.progress, value }),
      when: dateTimeText(new Date(Number(row.createdAt))),
      state: String(row.state),
    });
    return { key: `${String(row.peerId)} ${String(row.condition)}`, text };
  });
  return (
    <div>
      <Text fw={550}>{words.archivedPackets}</Text>
      <ul aria-label={words.archivedPackets}>
        {told.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
        {areAll && packets.length > MOST && <li>{words.archivedMore({ more: packets.length - MOST })}</li>}
        {!areAll && <li>{words.archivedManyMore}</li>}
      </ul>
    </div>
  );
}
