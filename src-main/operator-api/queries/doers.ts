import type { OperatorContext } from '../context.ts';
import { everybody } from '../people/persons.ts';

/** Whose acts the log can be narrowed to, the first ones first. */
export async function listDoers({ database, apiKeys, tills }: OperatorContext) {
  const [people, keys, devices] = await Promise.all([everybody(database.read), apiKeys.list(), tills.list()]);
  const items = [
    ...people.map(({ id, name }) => ({ kind: 'person' as const, id, name })),
    ...keys.map(({ id, name }) => ({ kind: 'key' as const, id, name })),
    ...devices.map(({ id, name }) => ({ kind: 'till' as const, id, name })),
  ];
  return { items };
}
