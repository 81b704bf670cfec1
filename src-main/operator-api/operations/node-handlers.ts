import { readShop } from '../../shop/shop.ts';
import { changes } from '../live/changes.ts';
import { overview } from '../queries/health/overview.ts';
import { operations } from './guarded-operations.ts';

const os = operations.node;

export const nodeHandlers = os.router({
  info: os.info.handler(async ({ context }) => ({
    ...context.about,
    // Where the books are is no business of a device at the counter.
    ...(context.till !== undefined && { database: null }),
    now: new Date(context.clock.now()),
    connected: context.peers.connected,
    ...(await readShop(context.database.read)).days,
  })),
  overview: os.overview.handler(({ context }) => overview(context)),
  changes: os.changes.handler(({ context, signal }) => changes(context, signal)),
});
