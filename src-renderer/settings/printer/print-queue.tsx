import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { PrintJob } from '../../../src-shared/operator-contract/shop/printing.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { whenText } from '../../../src-shared/words/date-text.ts';
import { AnchorLink } from '../../components/page/links.tsx';
import { Status, type Tone } from '../../components/page/status.tsx';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import classes from '../settings.module.css';

const words = messages.printer;
/** How often the times are written anew, in milliseconds. */
const EVERY_MS = 30_000;

const TONES: Readonly<Record<PrintJob['state'], Tone>> = {
  ...{ waiting: 'busy', printing: 'busy', printed: 'good' },
  ...{ unsure: 'warning', lapsed: 'warning', cancelled: 'idle' },
};

interface PrintQueueProps {
  waiting: number;
  jobs: readonly PrintJob[];
  /** Whether the printer is one of a computer, whose system has a queue of its own. */
  isOfComputer: boolean;
}

/** What waits for the receipt printer, and what it printed lately. */
export function PrintQueue({ waiting, jobs, isOfComputer }: PrintQueueProps) {
  return (
    <Stack gap="xs" className={classes.schedule}>
      <Title order={3} className={classes.heading}>
        {words.queue}
      </Title>
      <Text c="dimmed" data-testid="queue">
        {waiting === 0 ? words.nothingWaits : words.waits({ count: waiting })}
      </Text>
      <ul className={classes.browsers} aria-label={words.queue}>
        {jobs.map((job) => (
          <JobLine key={job.id} job={job} isOfComputer={isOfComputer} />
        ))}
      </ul>
    </Stack>
  );
}

function JobLine({ job: { id, receipt, state, madeAt }, isOfComputer }: { job: PrintJob; isOfComputer: boolean }) {
  const now = useNodeTime(EVERY_MS);
  const report = useReporting();
  const cancel = useMutation(
    queries.printing.cancel.mutationOptions({ onSuccess: () => report.changed('settings'), onError: report.failed }),
  );
  const what = receipt?.number ?? words.testJob;
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div>
          {receipt === null ? (
            <Text>{what}</Text>
          ) : (
            <AnchorLink to="/receipts/$kind/$id" params={{ kind: receipt.kind, id: receipt.id }}>
              {what}
            </AnchorLink>
          )}
          <Text size="sm" c="dimmed">
            {whenText(madeAt, now)}
          </Text>
        </div>
        <Group gap="sm">
          <Status tone={TONES[state]}>{state === 'printed' && isOfComputer ? words.ofComputer.printed : words.states[state]}</Status>
          {state === 'waiting' && (
            <Button
              size="xs"
              variant="default"
              aria-label={words.cancelNamed({ what })}
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ id })}
            >
              {words.cancel}
            </Button>
          )}
        </Group>
      </Group>
    </li>
  );
}
