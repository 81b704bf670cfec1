import type { ApiKey } from '../../../src-shared/operator-contract/console/api-keys.ts';
import type { ApiKeyRow } from '../people/api-keys.ts';
import { operations } from './guarded-operations.ts';

const os = operations.apiKeys;
const PROBLEMS = {
  too_many: 'TOO_MANY_KEYS',
  end_past: 'END_PAST',
  unfit_group: 'UNFIT_GROUP',
  no_account: 'NOT_FOUND',
} as const;
const dateOf = (at: number | null) => (at === null ? null : new Date(at));

const represent = ({ id, name, role, groups, accounts, createdAt, isPaused, ...times }: ApiKeyRow): ApiKey => ({
  ...{ id, name, role, isPaused, createdAt: new Date(createdAt) },
  groups: groups === null ? null : [...groups],
  accounts: accounts === null ? null : [...accounts],
  expiresAt: dateOf(times.expiresAt),
  lastUsedAt: dateOf(times.lastUsedAt),
  formerEndsAt: dateOf(times.formerEndsAt),
});

export const apiKeysHandlers = os.router({
  list: os.list.handler(async ({ context }) => ({ keys: (await context.apiKeys.list()).map(represent) })),
  create: os.create.handler(async ({ context, input, errors }) => {
    const { expiresAt, ...wanted } = input;
    const made = await context.apiKeys.create({ ...wanted, expiresAt: expiresAt?.getTime() ?? null });
    if (!made.ok) throw errors[PROBLEMS[made.error]]();
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
