import { createRouterClient, type RouterClient } from '@orpc/server';
import { consoleLink } from './console-gate.ts';
import { type ConsoleOptions, type RunningConsole, startConsole } from './console-server.ts';
import type { OperatorContext } from './context.ts';
import { type OperatorPort, servePorts } from './message-port.ts';
import { ensureOperatorToken } from './operator-token.ts';
import { router } from './router.ts';
import { OperatorSessions } from './sessions.ts';

/** The door through which the operator's console and scripts work. */
export interface OperatorApi {
  /** Serves a channel to the desktop window; see {@link OperatorPort}. */
  servePort(port: OperatorPort): void;
  /** The operations for the host of the node itself, in this process. */
  readonly calls: RouterClient<typeof router>;
  /**
   * Opens the second listener of a headless node, and puts the token for scripts into the data folder.
   * @throws StartupError with what to do.
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
    calls: createRouterClient(router, { context }),
    startConsole: async (options) => {
      await ensureOperatorToken({ ...context, dataFolder: options.dataFolder });
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
