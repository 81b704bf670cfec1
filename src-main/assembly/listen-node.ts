import { UnusedMemory } from '../platform/unused-memory.ts';
import type { BuiltNode } from './build-node.ts';
import { listenError } from './listening.ts';
import type { OpenedNode, Starting } from './open-node.ts';
import { listenPublicly } from './public-api.ts';

/**
 * Continues the work that an earlier run left unfinished, and opens the listeners.
 * @returns the URL of the console. It is undefined when the console has no listener.
 */
export async function listenAsNode(
  { config, host, openings }: Starting,
  opened: OpenedNode,
  built: BuiltNode,
): Promise<string | undefined> {
  const { core, listen, port, certificate, openFiles, audit } = opened;
  const { payments, checkout, access, operator, configuration, retention, refusals } = built;
  await built.auditThread.compared();
  await payments.peers.directory.reload();
  await payments.worker.start();
  openings.add(() => payments.worker.stop());
  await checkout.worker.start();
  openings.add(() => checkout.worker.stop());
  retention.start();
  openings.add(() => retention.stop());
  openings.add(new UnusedMemory(core).start());
  const listening = listenPublicly({
    ...{ ...core, listen, port, config, payments, checkout, access, certificate, openFiles, audit, refusals },
  });
  openings.add(
    await listening.catch((error: unknown) => {
      throw listenError(error, listen);
    }),
  );
  if (config.console === undefined) return undefined;
  const running = await operator.startConsole({ ...config.console, rendererDir: host.rendererDir, dataFolder: config.dataDir });
  // The configuration may have asked for any free port. The console now has a definite one.
  configuration.console = new URL(running.url).host;
  openings.add(() => running.close());
  return running.url;
}
