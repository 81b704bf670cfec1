import { createRouterClient } from '@orpc/server';
import type { Role } from '../../../src-shared/people/roles.ts';
import type { OperatorContext } from '../../operator-api/context.ts';
import { router } from '../../operator-api/router.ts';
import { people } from '../../operator-api/tables.ts';

/** A currency in which nothing else of a test moves. */
const ASSET = { what: 'approvals', assetCode: 'XTS', assetScale: 2 } as const;

/** Every act about a second person. Each prepares what it needs, and gives the act itself. */
export function secondPersonActs(context: () => OperatorContext): Record<string, () => Promise<() => Promise<unknown>>> {
  const as = (id: string, role: Role) =>
    createRouterClient(router, { context: { ...context(), role, doer: { kind: 'person', id, name: 'Ada', role } } });
  const owner = () => as('owner', 'owner');
  const manager = async () => {
    const made = await context().people.invite({ name: 'Ada', role: 'manager' });
    if (!made.ok) throw new Error(made.error);
    await context().database.write((tx) => tx.update(people).set({ state: 'active' }));
    return as(made.value.id, 'manager');
  };
  /** Lets less protection wait. */
  const asked = async () => {
    const second = await manager();
    for (const { id } of (await owner().waiting.list()).items) await owner().waiting.withdraw({ id });
    await owner().secondPerson.set({ ...ASSET, above: 5n });
    await owner()
      .secondPerson.set({ ...ASSET, above: 6n })
      .catch(() => undefined);
    const [act] = (await second.waiting.list()).items;
    if (act === undefined) throw new Error('nothing waits');
    return { second, act };
  };
  return {
    'secondPerson.set': async () => {
      await manager();
      return () => owner().secondPerson.set({ ...ASSET, assetScale: 3, above: 0n });
    },
    'waiting.confirm': async () => {
      const { second, act } = await asked();
      return () => second.waiting.confirm({ id: act.id, hash: act.hash });
    },
    'waiting.refuse': async () => {
      const { second, act } = await asked();
      return () => second.waiting.refuse({ id: act.id });
    },
    'waiting.withdraw': async () => {
      const { act } = await asked();
      return () => owner().waiting.withdraw({ id: act.id });
    },
  };
}
