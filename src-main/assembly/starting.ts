import type { DesktopHost } from '../operator-api/desktop-host.ts';
import type { StartChild } from '../platform/child-process.ts';
import type { Logger } from '../platform/logs/logger.ts';
import type { SecretsProtection } from '../platform/secrets/secrets-protection.ts';
import type { Config } from '../platform/settings/config.ts';
import type { Openings } from './openings.ts';

/** The folders of the built parts of paydesk. */
interface BuiltParts {
  /** The console's files: `out/renderer` in the folder of the app. The database's migrations are in its `drizzle`. */
  rendererDir: string;
}

/** The program around a node. */
export interface Host extends BuiltParts {
  /** It encrypts the node's secrets on the disk. When it is undefined, the configuration chooses the protection. */
  protection?: SecretsProtection | undefined;
  /** Starts a process. The desktop app has a way of its own. */
  startChild?: StartChild | undefined;
  /** The desktop app's own settings, for its console. */
  desktop?: DesktopHost | undefined;
}

/** What a node is started with. `openings` closes what the node opens. */
export interface Starting {
  config: Config;
  log: Logger;
  host: Host;
  openings: Openings;
}
