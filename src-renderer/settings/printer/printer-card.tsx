import { Alert, Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPrinter } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Printer } from '../../../src-shared/operator-contract/shop/printing.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../../src-shared/words/date-text.ts';
import { printerProblems } from '../../../src-shared/words/printer-problems.ts';
import { receiptWords } from '../../../src-shared/words/sales/receipt-text.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { languageName } from '../../components/language/language-name.ts';
import { Card } from '../../components/page/card.tsx';
import { Empty } from '../../components/page/empty.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Status } from '../../components/page/status.tsx';
import { InertText } from '../../components/text/inert-text.tsx';
import { onDesktop, queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { ComputerPrinterDialog } from './computer-printer-dialog.tsx';
import { PrintQueue } from './print-queue.tsx';
import { PrinterDialog } from './printer-dialog.tsx';

const words = messages.printer;

/** The dialogs: for a printer in the network, for one of this computer, and the question before it is removed. */
type Asking = 'network' | 'computer' | 'remove';

/** The receipt printer of the shop, and what waits for it. Only the desktop app offers the printers of its computer. */
export function PrinterCard() {
  const [asking, setAsking] = useState<Asking>();
  const found = useQuery(queries.printing.get.queryOptions());
  const close = () => setAsking(undefined);
  return (
    <Card title={words.title}>
      <Stack gap="md">
        <Text c="dimmed">{onDesktop() ? words.ofComputer.lead : words.lead}</Text>
        <Loaded query={found} skeleton={<Skeleton height={160} />}>
          {({ printer, waiting, jobs }) => (
            <>
              {printer === null ? (
                <None onChoose={setAsking} />
              ) : (
                <Shown printer={printer} onChange={setAsking} onRemove={() => setAsking('remove')} />
              )}
              {(printer !== null || jobs.length > 0) && (
                <PrintQueue waiting={waiting} jobs={jobs} isOfComputer={printer !== null && printer.host === null} />
              )}
              {asking === 'network' && <PrinterDialog printer={printer} onClose={close} />}
              {asking === 'computer' && <ComputerPrinterDialog printer={printer} onClose={close} />}
              {printer !== null && <Removal name={printer.name} opened={asking === 'remove'} onClose={close} />}
            </>
          )}
        </Loaded>
      </Stack>
    </Card>
  );
}

function None({ onChoose }: { onChoose: (kind: Asking) => void }) {
  if (!onDesktop())
    return (
      <Empty
        icon={IconPrinter}
        title={words.none}
        advice={words.noneAdvice}
        action={<Button onClick={() => onChoose('network')}>{words.add}</Button>}
      />
    );
  return (
    <Empty
      icon={IconPrinter}
      title={words.none}
      advice={words.ofComputer.noneAdvice}
      action={
        <Group gap="sm" justify="center">
          <Button onClick={() => onChoose('computer')}>{words.ofComputer.choose}</Button>
          <Button variant="default" onClick={() => onChoose('network')}>
            {words.ofComputer.inNetwork}
          </Button>
        </Group>
      }
    />
  );
}

interface ShownProps {
  printer: Printer;
  onChange: (kind: Asking) => void;
  onRemove: () => void;
}

function Shown({ printer, onChange, onRemove }: ShownProps) {
  const { name, host, port, paper, language, printsSales, silence } = printer;
  const report = useReporting();
  const test = useMutation(queries.printing.test.mutationOptions({ onSuccess: () => report.changed('settings'), onError: report.failed }));
  const tryNow = useMutation(
    queries.printing.tryNow.mutationOptions({ onSuccess: () => report.changed('settings'), onError: report.failed }),
  );
  return (
    <>
      <Stack gap={4}>
        <Group gap="xs">
          <Text fw={500}>
            <InertText text={name} expands={false} />
          </Text>
          <Status tone={silence === null ? 'good' : 'warning'}>{silence === null ? words.good : words.silent}</Status>
          {printsSales && (
            <Badge variant="light" tt="none">
              {words.bySelf}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {host === null ? words.ofComputer.place : <bdi>{host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`}</bdi>} ·{' '}
          {receiptWords.papers[paper]} · <bdi>{languageName(language)}</bdi>
        </Text>
        {host === null && (
          <Text size="sm" c="dimmed">
            {words.ofComputer.queue}
          </Text>
        )}
      </Stack>
      {silence !== null && (
        <Alert color="orange" data-notice icon={<IconAlertTriangle aria-hidden />}>
          <Stack gap="sm" align="flex-start">
            <Text>{words.silentSince({ since: dateTimeText(silence.since), problem: printerProblems[silence.problem] })}</Text>
            <Button size="xs" variant="default" loading={tryNow.isPending} onClick={() => tryNow.mutate({})}>
              {words.tryNow}
            </Button>
          </Stack>
        </Alert>
      )}
      <Group gap="sm">
        <Button leftSection={<IconPrinter size={18} aria-hidden />} loading={test.isPending} onClick={() => test.mutate({})}>
          {words.test}
        </Button>
        {(host !== null || onDesktop()) && (
          <Button variant="default" onClick={() => onChange(host === null ? 'computer' : 'network')}>
            {words.change}
          </Button>
        )}
        <Button variant="subtle" color="red" onClick={onRemove}>
          {words.remove}
        </Button>
      </Group>
    </>
  );
}

function Removal({ name, opened, onClose }: { name: string; opened: boolean; onClose: () => void }) {
  const report = useReporting();
  const remove = useMutation(
    queries.printing.remove.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.removed({ name }), 'settings');
      },
      onError: report.failed,
    }),
  );
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={words.removeTitle({ name })}
      words={words.removeWords}
      action={words.remove}
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({})}
    />
  );
}
