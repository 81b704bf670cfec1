import { MOST_LINES } from '../../platform/logs/log-ring.ts';
import { recentLines } from '../../platform/logs/logger.ts';
import { archiveFiles } from '../queries/health/archive-files.ts';
import { livingReplicas } from '../queries/health/living-replicas.ts';
import { matchingLines } from '../queries/health/log-lines.ts';
import { reach } from '../queries/health/reachability.ts';
import { supportBundle } from '../queries/health/support-bundle.ts';
import { operations } from './guarded-operations.ts';
import { noteAct } from './note-act.ts';

const os = operations.health;

export const healthHandlers = os.router({
  reach: os.reach.handler(({ context, signal }) => reach(context, signal)),
  archive: os.archive.handler(async ({ context, input }) => ({ files: await archiveFiles(context, input.check) })),
  replicas: os.replicas.handler(async ({ context }) => ({ shared: await livingReplicas(context) })),
  disk: os.disk.handler(({ context }) => context.disk()),
  log: os.log.handler(({ context, input }) => {
    const kept = recentLines(context.log);
    return { lines: matchingLines(kept, input), kept: kept.length, most: MOST_LINES };
  }),
  supportBundle: os.supportBundle.handler(async ({ context }) => {
    const bundle = await supportBundle(context, recentLines(context.log));
    await noteAct(context, 'support.bundled', {});
    const day = new Date(context.clock.now()).toISOString().slice(0, 10);
    return { name: `paydesk-support-${day}.json`, text: `${JSON.stringify(bundle, undefined, 2)}\n` };
  }),
});
