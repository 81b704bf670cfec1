import { createRouterClient, type RouterClient } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import type { LockReason } from '../../src-shared/operator-contract/lock.ts';
import { consoleLink } from './console/console-gate.ts';
import { type ConsoleOptions, type RunningConsole, startConsole } from './console/console-server.ts';
import { ensureOperatorToken } from './console/operator-token.ts';
import type { OperatorContext } from './context.ts';
import { type OperatorPort, servePorts } from './message-port.ts';
import { offerSetUp } from './people/set-up.ts';
import { paymentsUnderWay } from './queries/health/overview.ts';
import { router } from './router.ts';
import { serveTills, type TillListener } from './till-door/till-door.ts';

/** What the operator's console, scripts and desktop app call. */
export interface OperatorApi {
  /** Serves a channel to the desktop window; see {@link OperatorPort}. */
  servePort(port: OperatorPort): void;
  /**
   * The operations for the node's host, in this process. They are allowed while the console is locked, so the host
   * itself must then show nothing about money.
   */
  readonly calls: RouterClient<typeof router>;
  /** How many payments are leaving this node or will be tried again. The host looks at this before it ends the node. */
  paymentsUnderWay(): Promise<number>;
  /** Whether the console is locked. While it is, the host must show nothing about money. */
  readonly locked: boolean;
  /**
   * Locks the console, for example because the computer sleeps.
   * @returns false when there is no passphrase and the console stays open.
   */
  lock(reason: LockReason): boolean;
  /**
   * Calls `listener` when the console locks or opens.
   * @returns a function that stops this.
   */
  watchLock(listener: () => void): () => void;
  /**
   * Opens the second listener of a headless node, and writes the token for scripts into the data folder.
   * @throws ReportedError with what to do.
   */
  startConsole(options: ConsoleOptions): Promise<RunningConsole>;
  /** Serves paired tills below `/till/` of the public listener. */
  serveTills(app: FastifyInstance, listener: TillListener): void;
  /**
   * Makes a link that opens the running console once, within ten minutes. It is a secret: show it on a terminal only.
   */
  createLink(): Promise<{ url: string; expiresAt: Date }>;
  /**
   * Makes the setup code with which the first visit over the network makes the owner. It is a secret, too.
   * @param given the code that the operator has chosen.
   * @returns undefined when the node belongs to somebody.
   */
  offerSetUp(given: string | undefined): Promise<string | undefined>;
}

export function createOperatorApi(context: OperatorContext): OperatorApi {
  const { sessions } = context;
  let consoleUrl: string | undefined;
  return {
    servePort: servePorts(context),
    paymentsUnderWay: () => paymentsUnderWay(context),
    get locked() {
      return context.lock.locked;
    },
    lock: (reason) => context.lock.lock(reason),
    watchLock: (listener) => context.lock.watch(listener),
    calls: createRouterClient(router, { context: { ...context, caller: 'host', role: 'owner' } }),
    startConsole: async (options) => {
      await ensureOperatorToken({ ...context, ...options });
      const returning = context.restores?.returning();
      if (returning !== undefined) await sessions.acceptLink(returning, options.consoleUrl !== undefined);
      // The link is forgotten only after the database holds it. A node that ends in between must neither lose it nor
      // accept it twice.
      context.restores?.forgetReturning();
      const running = await startConsole(context, options);
      consoleUrl = running.url;
      return running;
    },
    serveTills: (app, listener) => serveTills(app, context, listener),
    offerSetUp: (given) => offerSetUp(context, given),
    createLink: async () => {
      if (consoleUrl === undefined) throw new Error('a console link was asked for while no console runs');
      const { secret, expiresAt } = await sessions.createLink();
      return { url: consoleLink(consoleUrl, secret), expiresAt: new Date(expiresAt) };
    },
  };
}
