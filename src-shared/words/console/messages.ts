import { consent } from '../consent.ts';
import { reach } from '../elsewhere/reach.ts';
import { area } from '../language/language.ts';
import { accounts } from './accounts.ts';
import { activity } from './activity.ts';
import { apiKeys } from './api-keys.ts';
import { approvals } from './approvals.ts';
import { apps } from './apps.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { pairs } from './exchange/pairs.ts';
import { rateSources } from './exchange/rate-sources.ts';
import { rates } from './exchange/rates.ts';
import { getPaid } from './get-paid.ts';
import { health } from './health.ts';
import { lock } from './lock.ts';
import { overview } from './overview.ts';
import { palette } from './palette.ts';
import { pay } from './pay.ts';
import { payments } from './payments.ts';
import { invitations } from './peering/invitations.ts';
import { rafiki } from './peering/rafiki.ts';
import { peers } from './peers.ts';
import { people } from './people/people.ts';
import { restore } from './restore.ts';
import { settings } from './settings.ts';
import { welcome } from './welcome.ts';

/** All words of the console, by screen. A sentence with facts in it is a function. */
export const messages = {
  accounts,
  activity,
  apiKeys,
  approvals,
  apps,
  browserNotices: area('browserNotices'),
  claims: area('claims'),
  closings: area('closings'),
  common,
  consent,
  errors,
  getPaid,
  health,
  invitations,
  lock,
  overview,
  palette,
  pay,
  payments,
  peers,
  people,
  printer: area('printer'),
  rafiki,
  rates,
  rateSources,
  pairs,
  reach,
  receipts: area('receipts'),
  reports: area('reports'),
  restore,
  settings,
  products: area('products'),
  shop: area('shop'),
  statements: area('statements'),
  till: area('till'),
  tills: area('tills'),
  ways: area('ways'),
  welcome,
} as const;
