import { setTimeout as delay } from 'node:timers/promises';
import { buildNode } from './assembly/build-node.ts';
import { listenAsNode } from './assembly/listen-node.ts';
import { listenOf } from './assembly/listening.ts';
import { type OpenedNode, openNode } from './assembly/open-node.ts';
import { Openings } from './assembly/openings.ts';
import type { Host, Starting } from './assembly/starting.ts';
import type { EventFeed } from './journal/events.ts';
import type { OperatorApi } from './operator-api/operator-api.ts';
import { fileTrouble } from './platform/errors.ts';
import { armFailPoint } from './platform/fail-points.ts';
import type { Logger } from './platform/logs/logger.ts';
import type { Config } from './platform/settings/config.ts';
import { version } from './platform/version.ts';

/** A running node. */
export interface WalletNode {
  readonly publicUrl: string;
  /** The URL of the console. It is undefined on the desktop, because the console has no listener there. */
  readonly consoleUrl: string | undefined;
  readonly operator: OperatorApi;
  /** Tells the host about each event that is committed from now on; see {@link EventFeed.listen}. */
  readonly events: Pick<EventFeed, 'listen'>;
  /** Resolves once, with the reason, when the node cannot continue. The host then stops the node. */
  readonly failed: Promise<Error>;
  /**
   * Resolves when the host must close the node and start it again. When the node closes, it puts other books into its
   * data folder. The value is the same configuration, with the ports that the node has found.
   */
  readonly restart: Promise<Config>;
  /** Tells the node that the computer has slept. The node starts at once the work that became due in that time. */
  wake(): void;
  /**
   * Stops accepting HTTP requests, waits for the packets under way, and closes the books. It does so once, however
   * often it is called.
   */
  close(): Promise<void>;
}

/**
 * Opens, builds and starts a node.
 * @throws ReportedError when the node cannot start, with what the operator can do. Everything that was opened is
 * closed.
 */
export async function startWalletNode(config: Config, log: Logger, host: Host): Promise<WalletNode> {
  armFailPoint(config.failPoint);
  const openings = new Openings();
  try {
    return await start({ config, log, host, openings });
  } catch (error) {
    await openings.close().catch((closing: unknown) => log.error({ err: closing }, 'a part of the node could not be closed'));
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
      closing ??= leave(opened.shared)
        .then(() => openings.close())
        .then(() => log.info('the node has stopped'));
      return closing;
    },
  };
}

/**
 * A replica that is about to end still answers for this long, in milliseconds. A proxy that looks at `/readyz` every
 * few seconds sends it nothing new by then.
 */
const LEAVING_MS = 5_000;

/** A replica tells that it leaves before it stops to listen. Without others nobody can take its requests. */
async function leave(shared: OpenedNode['shared']): Promise<void> {
  await shared?.replicas.leave();
  if (shared !== undefined && shared.replicas.living > 1) await delay(LEAVING_MS);
}
