import { tray as words } from '../../../src-shared/words/desktop/tray.ts';

/** What the tray shows of the node. */
export interface TrayState {
  /** How many grant requests wait for the operator. */
  waiting: number;
  /** Whether a check of the node is bad. */
  ill: boolean;
  /** How many payments quitting waits for; it is undefined while nobody wants to quit. */
  quittingAfter: number | undefined;
}

export type TrayAction = 'open' | 'approvals' | 'quit';

interface TrayModel {
  icon: 'calm' | 'attention';
  tooltip: string;
  items: ({ label: string; action: TrayAction | undefined } | 'separator')[];
}

/** The tray's icon, tooltip and menu: the node's state, the requests that wait, and quitting. */
export function trayModel({ waiting, ill, quittingAfter }: TrayState): TrayModel {
  const state = stateWords(ill, quittingAfter);
  const requests = words.requestsWait({ count: waiting });
  return {
    icon: waiting > 0 || ill ? 'attention' : 'calm',
    tooltip: words.tooltip({ state: waiting > 0 ? requests : state }),
    items: [
      { label: state, action: undefined },
      { label: requests, action: waiting > 0 ? 'approvals' : undefined },
      'separator',
      { label: words.open, action: 'open' },
      { label: quittingAfter === undefined ? words.quit : words.quitNow, action: 'quit' },
    ],
  };
}

function stateWords(ill: boolean, quittingAfter: number | undefined): string {
  if (quittingAfter !== undefined) return words.quitsAfter({ payments: quittingAfter });
  return ill ? words.needsAttention : words.running;
}
