import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import type { Logger } from './logs/logger.ts';
import type { PublicUrls } from './public-address/public-urls.ts';

/**
 * What almost every part of a node is built with. A part names the members that it needs: `Pick<Core, 'database' |
 * 'clock'>`.
 */
export interface Core {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** The URLs of this node under its present and its former origins. */
  readonly urls: PublicUrls;
}
