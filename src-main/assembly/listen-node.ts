import type { BuiltNode } from './build-node.ts';
import { listenError } from './listening.ts';
import type { OpenedNode, Starting } from './open-node.ts';
import { listenPublicly } from './public-api.ts';

/**
 * Takes up what an earlier run left unfinished, and opens the listeners.
 * @returns the URL of the console when it has a listener.
 */
export async function listenAsNode(
  { config, host, openings }: Starting,
  opened: OpenedNode,
  built: BuiltNode,
): Promise<string | undefined> {
  const { core, listen, certificate } = opened;
  const { payments, checkout, access, operator, configuration } = built;
  await payments.peers.directory.reload();
  await payments.rates.load();
  await payments.worker.start();
  openings.add(() => payments.worker.stop());
  checkout.worker.start();
  openings.add(() => checkout.worker.stop());
  const listening = listenPublicly({ ...core, ...{ listen, config, payments, checkout, access, certificate } });
  openings.add(
    await listening.catch((error: unknown) => {
      throw listenError(error, listen);
    }),
  );
  if (config.console === undefined) return undefined;
  const running = await operator.startConsole({ ...config.console, rendererDir: host.rendererDir, dataFolder: config.dataDir });
  // A console that was to take any free port has one now.
  configuration.console = new URL(running.url).host;
  openings.add(() => running.close());
  return running.url;
}
