// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import commonWords from './common.json' with { type: 'json' };
import consoleWords from './console.json' with { type: 'json' };
import consoleAccessWords from './console-access.json' with { type: 'json' };
import consolePaymentsWords from './console-payments.json' with { type: 'json' };
import consolePeopleWords from './console-people.json' with { type: 'json' };
import consoleSignInWords from './console-sign-in.json' with { type: 'json' };

/** The words with which the console starts in this language, by key. */
export const catalogue: Readonly<Record<string, string>> = {
  ...commonWords,
  ...consoleAccessWords,
  ...consolePaymentsWords,
  ...consolePeopleWords,
  ...consoleSignInWords,
  ...consoleWords,
};

/** Its other words in this language, in parts that come with screens. */
export const parts = {
  accounts: () => import('./console-accounts.json'),
  activity: () => import('./console-activity.json'),
  apps: () => import('./console-apps.json'),
  health: () => import('./console-health.json'),
  peers: () => import('./console-peers.json'),
  problems: () => import('./console-problems.json'),
  products: () => import('./console-products.json'),
  rates: () => import('./console-rates.json'),
  reach: () => import('./console-reach.json'),
  settings: () => import('./console-settings.json'),
  shop: () => import('./console-shop.json'),
  statements: () => import('./console-statements.json'),
  till: () => import('./console-till.json'),
};
