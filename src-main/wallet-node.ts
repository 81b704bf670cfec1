import { buildNode } from './assembly/build-node.ts';
import { listenAsNode } from './assembly/listen-node.ts';
import { listenOf } from './assembly/listening.ts';
import { type Host, openNode, type Starting } from './assembly/open-node.ts';
import { Openings } from './assembly/openings.ts';
import type { EventFeed } from './journal/events.ts';
import type { OperatorApi } from './operator-api/operator-api.ts';
import { fileTrouble } from './platform/errors.ts';
import { armFailPoint } from './platform/fail-points.ts';
import type { Logger } from './platform/logs/logger.ts';
import type { Config } from './platform/settings/config.ts';
import { version } from './platform/version.ts';

export type { BuiltParts, Host } from './assembly/open-node.ts';

/** A running node. */
export interface WalletNode {
  readonly publicUrl: string;
  /** It is undefined on the desktop, whose console has no address. */
  readonly consoleUrl: string | undefined;
  readonly operator: OperatorApi;
  /** Tells the host what was committed, from now on; see {@link EventFeed.listen}. */
  readonly events: Pick<EventFeed, 'listen'>;
  /** Resolves, once, with the reason when the node cannot go on; its host then stops it. */
  readonly failed: Promise<Error>;
  /**
   * Resolves when the host is to close the node and to start it again, because other books are to lie in its folder
   * then. The configuration is the same, with the ports that the node has found.
   */
  readonly restart: Promise<Config>;
  /** Says that the computer has slept: the node takes up at once what became due meanwhile. */
  wake(): void;
  /** Takes no new HTTP requests, lets packets under way end, and closes the books; once, however often it is called. */
  close(): Promise<void>;
}

/**
 * Opens, builds and starts a node.
 * @throws ReportedError with what to do; nothing stays open then.
 */
export async function startWalletNode(config: Config, log: Logger, host: Host): Promise<WalletNode> {
  armFailPoint(config.failPoint);
  const openings = new Openings();
  try {
    return await start({ config, log, host, openings });
  } catch (error) {
    await openings.close();
    throw fileTrouble(error, config.dataDir) ?? error;
  }
}

async function start(starting: Starting): Promise<WalletNode> {
  const { config, log, openings } = starting;
  const opened = await openNode(starting);
  const built = await buildNode(starting, opened);
  const consoleUrl = await listenAsNode(starting, opened, built);
  const { listen, core } = opened;
  const publicUrl = core.urls.origin;
  log.info({ publicUrl, version }, 'the node is ready');
  let closing: Promise<void> | undefined;
  return {
    ...{ publicUrl, consoleUrl },
    operator: built.operator,
    events: built.events,
    wake: () => {
      built.payments.worker.wake();
      built.checkout.worker.wake();
    },
    failed: opened.failed,
    restart: opened.restart.then(() => ({ ...config, listen, ...(consoleUrl && { console: listenOf(consoleUrl) }) })),
    close: () => {
      closing ??= openings.close().then(() => log.info('the node has stopped'));
      return closing;
    },
  };
}
