import type { ApiKey } from '../../../src-shared/operator-contract/console/api-keys.ts';
import type { ApiKeyRow } from '../people/api-keys.ts';
import { operations } from './guarded-operations.ts';

const os = operations.apiKeys;
const dateOf = (at: number | null) => (at === null ? null : new Date(at));

const represent = ({ id, name, role, createdAt, isPaused, ...times }: ApiKeyRow): ApiKey => ({
  ...{ id, name, role, isPaused, createdAt: new Date(createdAt) },
  expiresAt: dateOf(times.expiresAt),
  lastUsedAt: dateOf(times.lastUsedAt),
  formerEndsAt: dateOf(times.formerEndsAt),
});

export const apiKeysHandlers = os.router({
  list: os.list.handler(async ({ context }) => ({ keys: (await context.apiKeys.list()).map(represent) })),
  create: os.create.handler(async ({ context, input, errors }) => {
    const { name, role, expiresAt } = input;
    const made = await context.apiKeys.create({ name, role, expiresAt: expiresAt?.getTime() ?? null });
    if (!made.ok) throw made.error === 'too_many' ? errors.TOO_MANY_KEYS() : errors.END_PAST();
    return { key: represent(made.value.key), value: made.value.value };
  }),
  rotate: os.rotate.handler(async ({ context, input, errors }) => {
    const rotated = await context.apiKeys.rotate(input.id);
    if (!rotated.ok) throw errors.NOT_FOUND();
    return { key: represent(rotated.value.key), value: rotated.value.value };
  }),
  allowAgain: os.allowAgain.handler(async ({ context, input, errors }) => {
    if (!(await context.apiKeys.allowAgain(input.id))) throw errors.NOT_FOUND();
    return { allowed: true as const };
  }),
  revoke: os.revoke.handler(async ({ context, input, errors }) => {
    if (!(await context.apiKeys.revoke(input.id))) throw errors.NOT_FOUND();
    return { revoked: true as const };
  }),
});
