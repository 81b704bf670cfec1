import { createServer } from 'node:net';
import { join } from 'node:path';
import { Connector } from './ilp/connector.ts';
import { StreamReceivers } from './ilp/stream-receivers.ts';
import { StreamSender } from './ilp/stream-sender.ts';
import { IncomingPayments } from './payments/incoming-payments.ts';
import { OutgoingPayments } from './payments/outgoing-payments.ts';
import { PaymentWorker } from './payments/payment-worker.ts';
import { Quotes } from './payments/quotes.ts';
import { Receivers } from './payments/receivers.ts';
import { createSettlement } from './payments/settlement.ts';
import { WalletAddresses } from './payments/wallet-addresses.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Config, Listen } from './platform/config.ts';
import { openDataFolder } from './platform/data-folder.ts';
import type { Database } from './platform/database/database.ts';
import { migrate } from './platform/database/migrate.ts';
import { SqliteDatabase } from './platform/database/sqlite.ts';
import { StartupError } from './platform/errors.ts';
import { EventFeed } from './platform/events.ts';
import { armFailPoint } from './platform/fail-points.ts';
import type { Logger } from './platform/logger.ts';
import { type NodeSecrets, openNodeSecrets } from './platform/node-secrets.ts';
import { openPublicUrls } from './platform/origins.ts';
import type { PublicUrls } from './platform/public-urls.ts';

/** How long a quote holds (decisions, "quote life"). */
const QUOTE_LIFETIME_MS = 5 * 60_000;
