import type { QuietHours } from '../../../src-shared/notices/quiet-hours.ts';
import { ofBrowser, remember, remembered } from '../../transport/browser-memory.ts';
import { type StateCell, stateCell } from '../../transport/state-cell.ts';

// How this browser tells of what happens. Each browser has its own choices, because each stands elsewhere.

/** A value that this browser keeps as a text. Text that says nothing is the same as none. */
function kept<T>(name: string, read: (text: string | undefined) => T, write: (value: T) => string | undefined): StateCell<T> {
  const cell = stateCell(read(remembered(ofBrowser, name)));
  cell.watch(() => remember(ofBrowser, name, write(cell.get())));
  return cell;
}

const choice = (name: string): StateCell<boolean> =>
  kept(
    name,
    (text) => text === 'true',
    (chosen) => (chosen ? 'true' : undefined),
  );

/** Whether notifications are wanted. They also need the permission of the browser. */
export const noticesWanted = choice('paydesk-notices');
/** Whether notifications leave amounts and names out. */
export const hidesAmounts = choice('paydesk-notices-hide-amounts');
/** Whether a payment that came is heard. */
export const soundWanted = choice('paydesk-notices-sound');

const QUIET = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;

/** The hours in which this browser is silent. */
export const quietHours = kept<QuietHours | null>('paydesk-notices-quiet', readQuietHours, (hours) =>
  hours === null ? undefined : `${hours.from}-${hours.until}`,
);

function readQuietHours(text: string | undefined): QuietHours | null {
  if (text === undefined || !QUIET.test(text)) return null;
  const [from = '', until = ''] = text.split('-');
  return from === until ? null : { from, until };
}
