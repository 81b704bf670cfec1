import { Select, Skeleton, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Desktop, DesktopSettings } from '../../src-shared/operator-contract/desktop.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { QuietHoursFields } from './quiet-hours-fields.tsx';

const words = messages.settings.desktop;

/** The settings of the desktop app. Each change is saved at once. */
export function DesktopCard() {
  const desktop = useQuery(queries.desktop.get.queryOptions());
  return (
    <Card title={words.title}>
      <Loaded query={desktop} skeleton={<Skeleton height={220} />}>
        {(data) => <DesktopSwitches desktop={data} />}
      </Loaded>
    </Card>
  );
}

function DesktopSwitches({ desktop: { settings, startsAtLogin } }: { desktop: Desktop }) {
  const report = useReporting();
  const change = useMutation(
    queries.desktop.change.mutationOptions({ onSuccess: () => report.done(words.saved, 'settings'), onError: report.failed }),
  );
  const set = (part: Partial<DesktopSettings>) => change.mutate({ ...settings, ...part });
  const { closeToTray, startAtLogin, hideAmounts, quietHours } = settings;
  return (
    <Stack gap="md">
      <Switch
        label={words.closeToTray}
        description={words.closeToTrayHint}
        checked={closeToTray}
        onChange={(event) => set({ closeToTray: event.currentTarget.checked })}
      />
      <Switch
        label={words.startAtLogin}
        description={startsAtLogin ? undefined : words.startAtLoginNot}
        checked={startAtLogin}
        disabled={!startsAtLogin}
        onChange={(event) => set({ startAtLogin: event.currentTarget.checked })}
      />
      <Select
        label={words.hideAmounts}
        value={hideAmounts}
        onChange={(value) => set({ hideAmounts: value === 'always' ? 'always' : 'when_locked' })}
        allowDeselect={false}
        data={[
          { value: 'when_locked', label: words.hideWhenLocked },
          { value: 'always', label: words.hideAlways },
        ]}
      />
      <QuietHoursFields hours={quietHours} onChange={(hours) => set({ quietHours: hours })} />
      <Failure error={change.error} />
    </Stack>
  );
}
