import { Switch, TextInput } from '@mantine/core';
import type { QuietHours } from '../../src-shared/notices/quiet-hours.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import classes from './settings.module.css';

const words = messages.settings.desktop;
const NIGHT: QuietHours = { from: '22:00', until: '07:00' };

/** The times between which nothing notifies, or none. Two equal times are not taken. */
export function QuietHoursFields({ hours, onChange }: { hours: QuietHours | null; onChange: (hours: QuietHours | null) => void }) {
  const change = (part: Partial<QuietHours>) => {
    const next = { ...NIGHT, ...hours, ...part };
    if (next.from !== '' && next.until !== '' && next.from !== next.until) onChange(next);
  };
  return (
    <>
      <Switch
        label={words.quiet}
        description={words.quietHint}
        checked={hours !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? NIGHT : null)}
      />
      {hours !== null && (
        <div className={classes.times}>
          <TextInput
            type="time"
            label={words.quietFrom}
            value={hours.from}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label={words.quietUntil}
            value={hours.until}
            onChange={(event) => change({ until: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}
