/** What the tray shows of the node. */
export interface TrayState {
  /** Requests that wait for the operator. */
  waiting: number;
  /** Whether a check of the node is bad. */
  ill: boolean;
  /** Payments that quitting waits for; undefined while nobody wants to quit. */
  quittingAfter: number | undefined;
}

export type TrayAction = 'open' | 'approvals' | 'quit';

export interface TrayModel {
  icon: 'calm' | 'attention';
  tooltip: string;
  items: ({ label: string; action: TrayAction | undefined } | 'separator')[];
}

const requests = (count: number): string => (count === 1 ? '1 request waits for you' : `${count} requests wait for you`);
const payments = (count: number): string => (count === 1 ? '1 payment' : `${count} payments`);

/** What the tray shows: the node's state, what waits, and the way out. */
export function trayModel({ waiting, ill, quittingAfter }: TrayState): TrayModel {
  const state = stateWords(ill, quittingAfter);
  return {
    icon: waiting > 0 || ill ? 'attention' : 'calm',
    tooltip: waiting > 0 ? `paydesk: ${requests(waiting)}` : `paydesk: ${state}`,
    items: [
      { label: state, action: undefined },
      waiting > 0 ? { label: requests(waiting), action: 'approvals' } : { label: 'No requests wait', action: undefined },
      'separator',
      { label: 'Open paydesk', action: 'open' },
      { label: quittingAfter === undefined ? 'Quit' : 'Quit now …', action: 'quit' },
    ],
  };
}

function stateWords(ill: boolean, quittingAfter: number | undefined): string {
  if (quittingAfter !== undefined) return `quits after ${payments(quittingAfter)}`;
  return ill ? 'running, something needs your attention' : 'running';
}
