import { Alert, Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconDatabaseExport } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Backup, BackupSchedule } from '../../src-shared/operator-contract/backups.ts';
import { OLD_BACKUP_MS } from '../../src-shared/warning-times.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText, distanceText, whenText } from '../../src-shared/words/date-text.ts';
import { bytesText } from '../../src-shared/words/duration-text.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { Card } from '../components/page/card.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Status } from '../components/page/status.tsx';
import { Facts } from '../components/text/facts.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { BackupDialog } from './backup-dialog.tsx';
import classes from './settings.module.css';

const words = messages.settings.backups;
const sharedWords = messages.settings.sharedBooks;

/**
 * Shows the last backup and the schedule, and makes a backup now.
 * @param isShared whether the books are in a shared database.
 */
export function BackupsCard({ isShared }: { isShared: boolean }) {
  const status = useQuery(queries.backups.status.queryOptions());
  // The dialog exists only while it is open, so that no passphrase stays in the page.
  const [dialog, setDialog] = useState<{ kind: 'now' | 'schedule'; opening: number }>();
  const [opened, setOpened] = useState(false);
  const ask = (kind: 'now' | 'schedule') => {
    setDialog((before) => ({ kind, opening: (before?.opening ?? 0) + 1 }));
    setOpened(true);
  };
  return (
    <Card
      title={words.title}
      aside={
        <Button size="xs" leftSection={<IconDatabaseExport size={16} aria-hidden />} onClick={() => ask('now')}>
          {words.make}
        </Button>
      }
    >
      <Stack gap="md">
        <Text c="dimmed">{words.lead}</Text>
        <Loaded query={status} skeleton={<Skeleton height={220} />}>
          {({ last, schedule, suggestedFolder }) => (
            <>
              {last === null ? (
                <Alert color="orange" data-notice icon={<IconAlertTriangle aria-hidden />} title={words.never}>
                  {isShared ? sharedWords.neverAdvice : words.neverAdvice}
                </Alert>
              ) : (
                <Last backup={last} />
              )}
              <Schedule schedule={schedule} onChange={() => ask('schedule')} />
              {dialog !== undefined && (
                <BackupDialog
                  key={dialog.opening}
                  kind={dialog.kind}
                  isShared={isShared}
                  schedule={schedule}
                  folder={schedule?.folder ?? suggestedFolder}
                  opened={opened}
                  onClose={() => setOpened(false)}
                />
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </Card>
  );
}

/** The worth of the last backup, in a word. */
function Worth({ isOld, onDiskOfNode }: { isOld: boolean; onDiskOfNode: boolean }) {
  if (isOld) return <Status tone="warning">{words.old}</Status>;
  return onDiskOfNode ? <Status tone="warning">{words.sameDisk}</Status> : <Status tone="good">{words.fresh}</Status>;
}

function Last({ backup: { createdAt, file, bytes, scheduled, onDiskOfNode, place } }: { backup: Backup }) {
  const now = useNodeTime(60_000);
  const old = now.getTime() - createdAt.getTime() > OLD_BACKUP_MS;
  return (
    <>
      <Facts
        facts={[
          [
            words.last,
            <Group key="last" justify="space-between" gap="sm">
              <span>{words.lastWords({ when: dateTimeText(createdAt), ago: distanceText(createdAt, now) })}</span>
              <Worth isOld={old} onDiskOfNode={onDiskOfNode} />
            </Group>,
          ],
          [words.file, <Code key="file">{file}</Code>],
          [sharedWords.place, place && sharedWords.placeOf(place)],
          [words.size, bytesText(bytes)],
          [words.kind, scheduled ? words.byItself : words.byHand],
        ]}
      />
      {onDiskOfNode && <Text size="sm">{words.sameDiskAdvice}</Text>}
    </>
  );
}

function Schedule({ schedule, onChange }: { schedule: BackupSchedule | null; onChange: () => void }) {
  const now = useNodeTime(60_000);
  const [asking, { open, close }] = useDisclosure(false);
  const report = useReporting();
  const stop = useMutation(
    queries.backups.removeSchedule.mutationOptions({
      onSuccess: async () => {
        close();
        await report.done(words.stopped, 'backups');
      },
      onError: report.failed,
    }),
  );
  return (
    <Stack gap="xs" className={classes.schedule}>
      <Title order={3} className={classes.heading}>
        {words.schedule}
      </Title>
      {schedule === null ? (
        <Text>{words.noSchedule}</Text>
      ) : (
        <>
          {schedule.problem !== null && (
            <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={words.problem}>
              {words.problems[schedule.problem]} {words.retries}
            </Alert>
          )}
          <Facts
            facts={[
              [words.every, words.everyHours(schedule.everyHours)],
              [words.keepsName, words.keeps({ count: schedule.keep })],
              [words.folder, <Code key="folder">{schedule.folder}</Code>],
              [words.next, whenText(schedule.dueAt, now)],
            ]}
          />
        </>
      )}
      <Group gap="sm">
        <Button variant="default" onClick={onChange}>
          {schedule === null ? words.setSchedule : words.changeSchedule}
        </Button>
        {schedule !== null && (
          <Button variant="subtle" color="red" onClick={open}>
            {words.stop}
          </Button>
        )}
      </Group>
      <Confirm
        opened={asking}
        onClose={close}
        title={words.stopTitle}
        words={words.stopWords}
        action={words.stop}
        danger
        busy={stop.isPending}
        error={stop.error}
        onConfirm={() => stop.mutate({})}
      />
    </Stack>
  );
}
