import type { AnyContractProcedure } from '@orpc/contract';
import type { contract } from '../../../src-shared/operator-contract/contract.ts';

/** `always`: also while the console is locked. `unlocked`: never then. */
export type LockRule = 'always' | 'unlocked';

type Rules<T> = { readonly [K in keyof T]: T[K] extends AnyContractProcedure ? LockRule : Rules<T[K]> };

/**
 * Which operations a locked console still does: what the lock screen needs, and nothing that tells of money or people. An operation that is new to the
 * contract does not compile until it stands here.
 */
export const LOCK_RULES: Rules<typeof contract> = {
  lock: {
    state: 'always',
    now: 'always',
    open: 'always',
    inUse: 'unlocked',
    protect: 'unlocked',
    changePassphrase: 'unlocked',
    removePassphrase: 'unlocked',
    changeSettings: 'unlocked',
  },
  node: {
    info: 'unlocked',
    overview: 'unlocked',
    // Tells of the lock alone while it is locked; see changes.ts.
    changes: 'always',
  },
  accounts: {
    list: 'unlocked',
    get: 'unlocked',
    create: 'unlocked',
    movements: 'unlocked',
    deposit: 'unlocked',
    withdraw: 'unlocked',
    keys: {
      list: 'unlocked',
      add: 'unlocked',
      revoke: 'unlocked',
    },
  },
  payments: {
    list: 'unlocked',
    summary: 'unlocked',
    export: 'unlocked',
    get: 'unlocked',
    resolve: 'unlocked',
    complete: 'unlocked',
    payee: 'unlocked',
    quote: 'unlocked',
    pay: 'unlocked',
  },
  approvals: {
    list: 'unlocked',
    get: 'unlocked',
    approve: 'unlocked',
    deny: 'unlocked',
  },
  apps: {
    grants: 'unlocked',
    grant: 'unlocked',
    rotateToken: 'unlocked',
    revokeToken: 'unlocked',
    allowAgain: 'unlocked',
    revokeGrant: 'unlocked',
    revokeAll: 'unlocked',
  },
  peers: {
    list: 'unlocked',
    self: 'unlocked',
    add: 'unlocked',
    edit: 'unlocked',
    renewToken: 'unlocked',
    pause: 'unlocked',
    resume: 'unlocked',
    remove: 'unlocked',
    settle: 'unlocked',
    test: 'unlocked',
  },
  rates: {
    list: 'unlocked',
    set: 'unlocked',
    remove: 'unlocked',
    funds: 'unlocked',
    fund: 'unlocked',
    withdraw: 'unlocked',
  },
  requests: {
    create: 'unlocked',
    open: 'unlocked',
    get: 'unlocked',
  },
  backups: {
    status: 'unlocked',
    make: 'unlocked',
    setSchedule: 'unlocked',
    removeSchedule: 'unlocked',
  },
  restore: {
    last: 'unlocked',
    begin: 'unlocked',
    part: 'unlocked',
    look: 'unlocked',
    start: 'unlocked',
    discard: 'unlocked',
  },
  desktop: {
    get: 'unlocked',
    change: 'unlocked',
  },
  settings: {
    node: 'unlocked',
  },
  health: {
    reach: 'unlocked',
    log: 'unlocked',
    supportBundle: 'unlocked',
  },
  activity: {
    list: 'unlocked',
    export: 'unlocked',
  },
};

/** An operation nobody has decided on is refused. */
export function lockRule(path: readonly string[]): LockRule {
  let found: unknown = LOCK_RULES;
  for (const name of path)
    found = typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
  return found === 'always' ? 'always' : 'unlocked';
}
