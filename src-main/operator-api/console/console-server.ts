import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { listenProblems } from '../../../src-shared/words/terminal/starting.ts';
import { writePrivateFile } from '../../platform/data-folder/data-folder.ts';
import { ReportedError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { outliveRefusals } from '../../platform/open-files.ts';
import type { TlsCertificate } from '../../platform/public-address/tls-certificate.ts';
import { isLoopback } from '../../platform/settings/config.ts';
import type { OperatorContext } from '../context.ts';
import { ConsoleDoor } from './console-door.ts';
import { CONSOLE_URL_FILE } from './console-files.ts';
import { urlOf } from './console-gate.ts';
import { ConsoleListener } from './console-listener.ts';
import { keepOthersOut, servePage } from './console-page.ts';
import { ConsoleSites } from './console-sites.ts';
import { listenToTwin } from './localhost.ts';
import { takeJsonOnly } from './operator-bodies.ts';
import { serveOperations } from './operator-routes.ts';
import { serveSignIn } from './sign-in-routes.ts';

/** How long a request may take to arrive, in milliseconds. */
const REQUEST_MS = 30_000;

export interface ConsoleOptions {
  /** A loopback address, because the connection is not encrypted; any address with a `consoleUrl`. */
  host: string;
  /** 0 lets the operating system choose. */
  port: number;
  /** The folder of the built console. */
  rendererDir: string;
  dataFolder: string;
  /** The https origin of the console on the network. Declared proxies serve it, or the node by its own certificate. */
  consoleUrl?: string | undefined;
  trustedProxies?: readonly string[];
  /** The node's own certificate. The console speaks TLS with it when it has a `consoleUrl`. */
  certificate?: Pick<TlsCertificate, 'context' | 'onChange'> | undefined;
  /** The name of this process, when several run the node. */
  holder?: string | undefined;
  /** How many processes run the node now, which share its limits: one, unless somebody says otherwise. */
  shares?: (() => number) | undefined;
}

export interface RunningConsole {
  /** The console's URL, for example `http://localhost:3001`. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the headless node's second listener. It serves the console and the operator API to this computer only
 * (decisions.md#D-02).
 * @throws ReportedError when the address is not a loopback address, when it is taken, or when the console is not built.
 */
export async function startConsole(
  context: OperatorContext,
  { host, port: wanted, rendererDir, dataFolder, consoleUrl, trustedProxies = [], certificate, shares }: ConsoleOptions,
): Promise<RunningConsole> {
  if (!isLoopback(host) && consoleUrl === undefined) throw new ReportedError(listenProblems.consoleNotHere);
  const trustProxy = consoleUrl !== undefined && [...trustedProxies];
  const listener = consoleUrl === undefined ? undefined : certificate && listenerOf(certificate, trustedProxies, context);
  const serverFactory = listener && { serverFactory: listener.serve };
  const app = Fastify({ logger: false, forceCloseConnections: true, requestTimeout: REQUEST_MS, trustProxy, ...serverFactory });
  outliveRefusals(app.server, context.log);
  const door = new ConsoleDoor(context);
  keepOthersOut(app);
  app.addHook('onRequest', door.refuseOtherNames);
  answerErrors(app, context);
  logAnswers(app, context);
  await servePage(app, { rendererDir, dataFolder, isRemote: (request) => door.siteOf(request).isRemote });
  takeJsonOnly(app);
  serveSignIn(app, { door, context, shares });
  serveOperations(app, { door, context });
  const port = await listen(app, host, wanted);
  const twin = host === '127.0.0.1' ? await listenToTwin(app, port) : undefined;
  // Passkeys need a name, so it is `localhost` where that leads to nobody else.
  const url = twin?.isOurs === true ? `http://localhost:${port}` : urlOf(isLoopback(host) ? host : '127.0.0.1', port);
  door.open(new ConsoleSites({ host, port, url, consoleUrl }));
  const ignoreEnded = door.turnOutEnded();
  const urlFile = join(dataFolder, CONSOLE_URL_FILE);
  writePrivateFile(urlFile, `${url}\n`);
  return {
    url,
    close: async () => {
      ignoreEnded();
      rmSync(urlFile, { force: true });
      twin?.close();
      listener?.close();
      await app.close();
    },
  };
}

/** The listener that has the node's own certificate. */
function listenerOf(
  certificate: NonNullable<ConsoleOptions['certificate']>,
  proxies: readonly string[],
  { log }: OperatorContext,
): ConsoleListener {
  return new ConsoleListener({
    ...{ certificate, proxies, requestTimeout: REQUEST_MS },
    onPlainText: () => log.warn('somebody asked the console from elsewhere without encryption, and is not answered'),
    onRefused: () => log.warn('the console closes connections, because too many are open'),
  });
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new ReportedError(listenProblems.consoleTaken({ host, port, code: String(error.code) }));
  }
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the console listens nowhere');
  return address.port;
}

/** Logs which operation was called, but not its input. */
function logAnswers(app: FastifyInstance, { log }: OperatorContext): void {
  app.addHook('onResponse', async (request, reply) => {
    const [path] = request.url.split('?');
    log.debug({ method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'console');
  });
}

/**
 * Answers errors. A request that Fastify itself refuses keeps its status. Every unexpected error is logged under an id,
 * and the answer holds only that id.
 */
function answerErrors(app: FastifyInstance, { log }: OperatorContext): void {
  app.setErrorHandler(async (error, _request, reply) => {
    if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500) {
      return await reply.code(error.statusCode).send({ error: { code: 'bad_request', description: error.message } });
    }
    const id = newId();
    log.error({ err: error, id }, 'a request to the console failed');
    return await reply.code(500).send({ error: { code: 'internal_error', id } });
  });
}
