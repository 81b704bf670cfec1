// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import type { CommonMessages } from './common.ts';
import type { ConsoleMessages } from './console.ts';
import type { ConsoleAccessMessages } from './console-access.ts';
import type { ConsoleAccountsMessages } from './console-accounts.ts';
import type { ConsoleHealthMessages } from './console-health.ts';
import type { ConsolePaymentsMessages } from './console-payments.ts';
import type { ConsolePeersMessages } from './console-peers.ts';
import type { ConsolePeopleMessages } from './console-people.ts';
import type { ConsoleProductsMessages } from './console-products.ts';
import type { ConsoleRatesMessages } from './console-rates.ts';
import type { ConsoleSettingsMessages } from './console-settings.ts';
import type { ConsoleShopMessages } from './console-shop.ts';
import type { ConsoleSignInMessages } from './console-sign-in.ts';
import type { ConsoleStatementsMessages } from './console-statements.ts';
import type { ConsoleTillMessages } from './console-till.ts';
import type { DesktopMessages } from './desktop.ts';
import type { PagesMessages } from './pages.ts';
import type { TerminalMessages } from './terminal.ts';
import type { TerminalStartMessages } from './terminal-start.ts';

/** Every message, by area. */
export interface Messages
  extends CommonMessages,
    ConsoleAccessMessages,
    ConsoleAccountsMessages,
    ConsoleHealthMessages,
    ConsolePaymentsMessages,
    ConsolePeersMessages,
    ConsolePeopleMessages,
    ConsoleProductsMessages,
    ConsoleRatesMessages,
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
