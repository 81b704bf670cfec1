import { Button, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { LockSettings } from '../../src-shared/operator-contract/lock.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { lockState } from '../transport/lock-state.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { useStateCell } from '../transport/state-cell.ts';
import { IDLE_CHOICES, idleChoices } from './idle-choices.ts';
import { PassphraseDialog, type PassphraseDialogKind } from './passphrase-dialog.tsx';

const words = messages.lock.card;

/** The passphrase that locks the console, and when it locks by itself. */
export function LockCard() {
  const lock = useStateCell(lockState);
  // The dialog exists only while it is open, so that no passphrase stays in the page.
  const [dialog, setDialog] = useState<PassphraseDialogKind>();
  if (lock === undefined) return null;
  return (
    <Card title={words.title}>
      <Stack gap="md">
        <Text c="dimmed">{words.lead}</Text>
        {lock.protected ? <LockSwitches settings={lock.settings} /> : <Text>{words.off}</Text>}
        <Group gap="sm">
          {lock.protected ? (
            <>
              <Button variant="default" onClick={() => setDialog('change')}>
                {words.change}
              </Button>
              <Button variant="default" onClick={() => setDialog('remove')}>
                {words.remove}
              </Button>
            </>
          ) : (
            <Button onClick={() => setDialog('protect')}>{words.protect}</Button>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {words.limits}
        </Text>
      </Stack>
      {dialog !== undefined && <PassphraseDialog kind={dialog} onClose={() => setDialog(undefined)} />}
    </Card>
  );
}

/** The switches that say when the console locks by itself. Each change is saved at once. */
function LockSwitches({ settings }: { settings: LockSettings }) {
  const report = useReporting();
  const change = useMutation(
    queries.lock.changeSettings.mutationOptions({
      onSuccess: async (next) => {
        lockState.set(next);
        await report.done(words.saved);
      },
      onError: report.failed,
    }),
  );
  return (
    <Stack gap="md">
      <Select
        label={words.idle}
        data={idleChoices(settings.idleMinutes)}
        value={settings.idleMinutes === null ? IDLE_CHOICES.never : String(settings.idleMinutes)}
        onChange={(value) => change.mutate({ ...settings, idleMinutes: value === IDLE_CHOICES.never ? null : Number(value) })}
        allowDeselect={false}
      />
      <Switch
        label={words.atStart}
        description={words.atStartHint}
        checked={settings.atStart}
        onChange={(event) => change.mutate({ ...settings, atStart: event.currentTarget.checked })}
      />
      <Text size="sm">{words.also}</Text>
      <Failure error={change.error} />
    </Stack>
  );
}
