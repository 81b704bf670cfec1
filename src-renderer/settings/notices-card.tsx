import { Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { messages } from '../../src-shared/words/console/messages.ts';
import { allowNotices, type NoticePermission, noticePermission } from '../components/notices/browser-notices.ts';
import { hidesAmounts, noticesWanted, quietHours, soundWanted } from '../components/notices/notice-settings.ts';
import { playPaid, prepareSound } from '../components/notices/tones.ts';
import { Card } from '../components/page/card.tsx';
import { useStateCell } from '../transport/state-cell.ts';
import { QuietHoursFields } from './quiet-hours-fields.tsx';

const words = messages.browserNotices;

/** How this browser tells of payments and requests. The desktop app has its own notifications. */
export function NoticesCard() {
  const [permission, setPermission] = useState(noticePermission);
  const isOn = useStateCell(noticesWanted) && permission === 'granted';
  const hears = useStateCell(soundWanted);
  const hides = useStateCell(hidesAmounts);
  const hours = useStateCell(quietHours);
  const turn = async (on: boolean) => {
    const answer = on ? await allowNotices() : permission;
    setPermission(answer);
    noticesWanted.set(on && answer === 'granted');
  };
  const turnSound = (on: boolean) => {
    soundWanted.set(on);
    if (!on) return;
    prepareSound();
    playPaid();
  };
  return (
    <Card title={words.title}>
      <Stack gap="md">
        <Switch
          label={words.on}
          description={words.onHint}
          checked={isOn}
          disabled={permission === 'insecure' || permission === 'unsupported'}
          onChange={(event) => void turn(event.currentTarget.checked)}
        />
        {advice(permission) !== undefined && (
          <Text size="sm" role="status">
            {advice(permission)}
          </Text>
        )}
        {isOn && (
          <Switch
            label={words.hideAmounts}
            description={words.hideAmountsHint}
            checked={hides}
            onChange={(event) => hidesAmounts.set(event.currentTarget.checked)}
          />
        )}
        <Switch
          label={words.sound}
          description={words.soundHint}
          checked={hears}
          onChange={(event) => turnSound(event.currentTarget.checked)}
        />
        {(isOn || hears) && <QuietHoursFields hours={hours} onChange={quietHours.set} />}
      </Stack>
    </Card>
  );
}

/** What keeps this browser from notifying, and what helps. */
function advice(permission: NoticePermission): string | undefined {
  if (permission === 'denied') return words.denied;
  if (permission === 'insecure') return words.insecure;
  return permission === 'unsupported' ? words.unsupported : undefined;
}
