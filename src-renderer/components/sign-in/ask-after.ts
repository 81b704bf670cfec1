import { ofBrowser, remember, remembered } from '../../transport/browser-memory.ts';
import { stateCell } from '../../transport/state-cell.ts';

const KEPT_AS = 'paydesk-ask-after';
const MOST_MINUTES = 1440;

function read(): number | null {
  const minutes = Number(remembered(ofBrowser, KEPT_AS));
  return Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES ? minutes : null;
}

/** This browser asks who is there after so many minutes in which nobody uses it. Null means never. */
export const askAfter = stateCell<number | null>(read());

/** Sets it for this browser, whoever is signed in there. */
export function setAskAfter(minutes: number | null): void {
  remember(ofBrowser, KEPT_AS, minutes === null ? undefined : String(minutes));
  askAfter.set(minutes);
}
