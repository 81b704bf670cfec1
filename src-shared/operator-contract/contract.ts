import { approvals, apps } from './access.ts';
import { accounts } from './accounts.ts';
import { activity } from './activity.ts';
import { backups } from './backups.ts';
import { desktop } from './desktop.ts';
import { health } from './health.ts';
import { lock } from './lock.ts';
import { node } from './node.ts';
import { payments } from './payments.ts';
import { peers } from './peers.ts';
import { rates } from './rates.ts';
import { requests } from './requests.ts';
import { restore } from './restore.ts';
import { settings } from './settings.ts';

/**
 * Every operation of the console, defined once. It is served over a MessagePort to the desktop window and over HTTP to the
 * browser of a headless node and to scripts; inputs and outputs are parsed by these schemas on both ways.
 */
export const contract = {
  lock,
  node,
  accounts,
  payments,
  approvals,
  apps,
  peers,
  rates,
  requests,
  backups,
  restore,
  desktop,
  settings,
  activity,
  health,
};
