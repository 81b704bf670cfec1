// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import type { CommonMessages } from './common.ts';
import type { ConsoleMessages } from './console/console.ts';
import type { ConsoleAccessMessages } from './console/console-access.ts';
import type { ConsoleAccountsMessages } from './console/console-accounts.ts';
import type { ConsoleActivityMessages } from './console/console-activity.ts';
import type { ConsoleAppsMessages } from './console/console-apps.ts';
import type { ConsoleHealthMessages } from './console/console-health.ts';
import type { ConsolePaymentsMessages } from './console/console-payments.ts';
import type { ConsolePeersMessages } from './console/console-peers.ts';
import type { ConsolePeopleMessages } from './console/console-people.ts';
import type { ConsoleProblemsMessages } from './console/console-problems.ts';
import type { ConsoleProductsMessages } from './console/console-products.ts';
import type { ConsoleRatesMessages } from './console/console-rates.ts';
import type { ConsoleReachMessages } from './console/console-reach.ts';
import type { ConsoleSettingsMessages } from './console/console-settings.ts';
import type { ConsoleShopMessages } from './console/console-shop.ts';
import type { ConsoleSignInMessages } from './console/console-sign-in.ts';
import type { ConsoleStatementsMessages } from './console/console-statements.ts';
import type { ConsoleTillMessages } from './console/console-till.ts';
import type { DesktopMessages } from './desktop.ts';
import type { PagesMessages } from './pages.ts';
import type { TerminalMessages } from './terminal.ts';
import type { TerminalStartMessages } from './terminal-start.ts';

/** Every message, by area. */
export interface Messages
  extends CommonMessages,
    ConsoleAccessMessages,
    ConsoleAccountsMessages,
    ConsoleActivityMessages,
    ConsoleAppsMessages,
    ConsoleHealthMessages,
    ConsolePaymentsMessages,
    ConsolePeersMessages,
    ConsolePeopleMessages,
    ConsoleProblemsMessages,
    ConsoleProductsMessages,
    ConsoleRatesMessages,
    ConsoleReachMessages,
    ConsoleSettingsMessages,
    ConsoleShopMessages,
    ConsoleSignInMessages,
    ConsoleStatementsMessages,
    ConsoleTillMessages,
    ConsoleMessages,
    DesktopMessages,
    PagesMessages,
    TerminalStartMessages,
    TerminalMessages {}
