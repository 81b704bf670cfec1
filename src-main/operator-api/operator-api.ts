import { createRouterClient, type RouterClient } from '@orpc/server';
import type { LockReason } from '../../src-shared/operator-contract/lock.ts';
import { consoleLink } from './console/console-gate.ts';
import { type ConsoleOptions, type RunningConsole, startConsole } from './console/console-server.ts';
import { ensureOperatorToken } from './console/operator-token.ts';
import { OperatorSessions } from './console/sessions.ts';
import type { OperatorContext } from './context.ts';
import { type OperatorPort, servePorts } from './message-port.ts';
import { router } from './operations/router.ts';
import { paymentsUnderWay } from './queries/health/overview.ts';

/** The door through which the operator's console and scripts work. */
export interface OperatorApi {
  /** Serves a channel to the desktop window; see {@link OperatorPort}. */
  servePort(port: OperatorPort): void;
  /** The operations for the host of the node itself, in this process. They pass while the console is locked: what the host shows then is its own care. */
  readonly calls: RouterClient<typeof router>;
  /** How many payments leave this node just now, or are to be tried again: what a host looks at before it ends. */
  paymentsUnderWay(): Promise<number>;
  /** Whether the console is locked; whatever the host shows then must tell of no money. */
  readonly locked: boolean;
  /** Locks the console, because the computer sleeps, say. @returns false when it has no passphrase, and stays open. */
  lock(reason: LockReason): boolean;
  /** Calls `listener` when the console locks or opens. Returns the way to stop it. */
  watchLock(listener: () => void): () => void;
  /**
   * Opens the second listener of a headless node, and puts the token for scripts into the data folder.
   * @throws ReportedError with what to do.
   */
  startConsole(options: ConsoleOptions): Promise<RunningConsole>;
  /** Makes a link that opens the running console once, within ten minutes. It is a secret: show it on a terminal only. */
  createLink(): Promise<{ url: string; expiresAt: Date }>;
}

export function createOperatorApi(context: OperatorContext): OperatorApi {
  const sessions = new OperatorSessions(context);
  let consoleUrl: string | undefined;
  return {
    servePort: servePorts(context),
    paymentsUnderWay: () => paymentsUnderWay(context),
    get locked() {
      return context.lock.locked;
    },
    lock: (reason) => context.lock.lock(reason),
    watchLock: (listener) => context.lock.watch(listener),
    calls: createRouterClient(router, { context: { ...context, caller: 'host' } }),
    startConsole: async (options) => {
      await ensureOperatorToken({ ...context, dataFolder: options.dataFolder });
      const returning = context.restores.returning();
      if (returning !== undefined) await sessions.acceptLink(returning);
      // Only now that it lies in the books: a node that ends in between must not lose it, nor let it be used twice.
      context.restores.forgetReturning();
      const running = await startConsole(context, sessions, options);
      consoleUrl = running.url;
      return running;
    },
    createLink: async () => {
      if (consoleUrl === undefined) throw new Error('a console link was asked for while no console runs');
      const { secret, expiresAt } = await sessions.createLink();
      return { url: consoleLink(consoleUrl, secret), expiresAt: new Date(expiresAt) };
    },
  };
}
