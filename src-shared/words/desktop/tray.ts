import { counted } from '../words.ts';

/** The icon of the desktop app beside the system's clock, and its menu. */
export const tray = {
  tooltip: (state: string) => `paydesk: ${state}`,
  running: 'running',
  needsAttention: 'running, something needs your attention',
  quitsAfter: (payments: number) => `quits after ${counted(payments, 'payment', 'payments')}`,
  requestsWait: (count: number) => (count === 0 ? 'No requests wait' : `${counted(count, 'request waits', 'requests wait')} for you`),
  open: 'Open paydesk',
  quit: 'Quit',
  quitNow: 'Quit now …',
} as const;
