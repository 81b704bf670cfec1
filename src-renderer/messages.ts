import { consent } from '../src-shared/words/consent.ts';
import { accounts } from './messages/accounts.ts';
import { activity } from './messages/activity.ts';
import { approvals } from './messages/approvals.ts';
import { apps } from './messages/apps.ts';
import { common } from './messages/common.ts';
import { errors } from './messages/errors.ts';
import { getPaid } from './messages/get-paid.ts';
import { health } from './messages/health.ts';
import { lock } from './messages/lock.ts';
import { overview } from './messages/overview.ts';
import { palette } from './messages/palette.ts';
import { pay } from './messages/pay.ts';
import { payments } from './messages/payments.ts';
import { peers } from './messages/peers.ts';
import { rates } from './messages/rates.ts';
import { restore } from './messages/restore.ts';
import { settings } from './messages/settings.ts';
import { welcome } from './messages/welcome.ts';

declare global {
  /** Set by tests before the console starts: changes all its words, to see that none stands elsewhere. */
  var paydeskWords: (<T>(words: T) => T) | undefined;
}

const catalogue = {
  accounts,
  activity,
  approvals,
  apps,
  common,
  consent,
  errors,
  getPaid,
  health,
  lock,
  overview,
  palette,
  pay,
  payments,
  peers,
  rates,
  restore,
  settings,
  welcome,
} as const;

/** Every word the console says, by screen; sentences with facts in them are functions. */
export const messages: typeof catalogue = globalThis.paydeskWords?.(catalogue) ?? catalogue;
