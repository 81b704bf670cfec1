// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import commonWords from './common.json' with { type: 'json' };
import consoleWords from './console.json' with { type: 'json' };
import consoleAccessWords from './console-access.json' with { type: 'json' };
import consoleAccountsWords from './console-accounts.json' with { type: 'json' };
import consoleActivityWords from './console-activity.json' with { type: 'json' };
import consoleAppsWords from './console-apps.json' with { type: 'json' };
import consoleHealthWords from './console-health.json' with { type: 'json' };
import consolePaymentsWords from './console-payments.json' with { type: 'json' };
import consolePeersWords from './console-peers.json' with { type: 'json' };
import consolePeopleWords from './console-people.json' with { type: 'json' };
import consoleProblemsWords from './console-problems.json' with { type: 'json' };
import consoleProductsWords from './console-products.json' with { type: 'json' };
import consoleRatesWords from './console-rates.json' with { type: 'json' };
import consoleReachWords from './console-reach.json' with { type: 'json' };
import consoleSettingsWords from './console-settings.json' with { type: 'json' };
import consoleShopWords from './console-shop.json' with { type: 'json' };
import consoleSignInWords from './console-sign-in.json' with { type: 'json' };
import consoleStatementsWords from './console-statements.json' with { type: 'json' };
import consoleTillWords from './console-till.json' with { type: 'json' };
import desktopWords from './desktop.json' with { type: 'json' };
import pagesWords from './pages.json' with { type: 'json' };

/** The words of the pages, the console and the desktop app in this language, by key. */
export const catalogue: Readonly<Record<string, string>> = {
  ...commonWords,
  ...consoleAccessWords,
  ...consoleAccountsWords,
  ...consoleActivityWords,
  ...consoleAppsWords,
  ...consoleHealthWords,
  ...consolePaymentsWords,
  ...consolePeersWords,
  ...consolePeopleWords,
  ...consoleProblemsWords,
  ...consoleProductsWords,
  ...consoleRatesWords,
  ...consoleReachWords,
  ...consoleSettingsWords,
  ...consoleShopWords,
  ...consoleSignInWords,
  ...consoleStatementsWords,
  ...consoleTillWords,
  ...consoleWords,
  ...desktopWords,
  ...pagesWords,
};
