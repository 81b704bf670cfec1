import { endTokensOfGone, restoreToken } from '../operator-api/console/operator-token.ts';
import { UnusedMemory } from '../platform/unused-memory.ts';
import { followOthers } from './books/follow-others.ts';
import { unfitness } from './books/unfitness.ts';
import type { BuiltNode } from './build-node.ts';
import { listenError } from './listening.ts';
import type { OpenedNode } from './open-node.ts';
import { listenPublicly } from './public-api.ts';
import type { Starting } from './starting.ts';

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
  await built.auditThread?.compared();
  if (opened.shared !== undefined)
    openings.add(await followOthers({ ...core, ...built, directory: payments.peers.directory, tiers: access.tiers, audit }));
  await payments.peers.directory.reload();
  opened.shared?.replicas.onGone(payments.worker.release, () => payments.worker.wake());
  opened.shared?.replicas.onGone(checkout.worker.release, () => checkout.worker.wake());
  opened.shared?.replicas.onGone(payments.refundWorker.release, () => payments.refundWorker.wake());
  opened.shared?.replicas.onGone(checkout.claims.worker.release, () => checkout.claims.worker.wake());
  opened.shared?.replicas.onGone(payments.printWorker.release, () => payments.printWorker.wake());
  opened.shared?.replicas.onGone(endTokensOfGone);
  const holder = opened.shared?.replicas.id;
  if (holder !== undefined) opened.shared?.replicas.onReturn((tx, at) => restoreToken(tx, { dataFolder: config.dataDir, holder }, at));
  opened.shared?.replicas.start();
  await payments.worker.start();
  openings.add(() => payments.worker.stop());
  await payments.refundWorker.start();
  openings.add(() => payments.refundWorker.stop());
  await payments.printWorker.start();
  openings.add(() => payments.printWorker.stop());
  await checkout.worker.start();
  openings.add(() => checkout.worker.stop());
  await checkout.claims.worker.start();
  openings.add(() => checkout.claims.worker.stop());
  openings.add(() => payments.peers.worker.stop());
  built.ratesWorker.start();
  openings.add(() => built.ratesWorker.stop());
  retention.start();
  openings.add(() => retention.stop());
  openings.add(new UnusedMemory(core).start());
  const listening = listenPublicly({
    ...{ ...core, listen, port, config, payments, checkout, access, certificate, openFiles, audit, refusals },
    unfit: opened.shared && unfitness(opened.shared),
    shares: () => opened.replica.living,
    serveTills: (app, welcome) => operator.serveTills(app, { rendererDir: host.rendererDir, shares: () => opened.replica.living, welcome }),
  });
  openings.add(
    await listening.catch((error: unknown) => {
      throw listenError(error, listen);
    }),
  );
  // A node that is asked to call back must be answering.
  payments.peers.worker.start();
  if (config.console === undefined) return undefined;
  const running = await operator.startConsole({
    ...config.console,
    rendererDir: host.rendererDir,
    dataFolder: config.dataDir,
    ...{ consoleUrl: config.consoleUrl, trustedProxies: config.trustedProxies, certificate },
    holder,
    shares: () => opened.replica.living,
  });
  // The configuration may have asked for any free port. The console now has a definite one.
  configuration.console = new URL(running.url).host;
  openings.add(() => running.close());
  return running.url;
}
