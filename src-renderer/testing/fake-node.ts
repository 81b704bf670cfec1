import { RPCLink } from '@orpc/client/message-port';
import { type ContractRouter, isContractProcedure } from '@orpc/contract';
import { implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import type { Grant } from '../../src-shared/operator-contract/apps.ts';
import { contract } from '../../src-shared/operator-contract/contract.ts';
import type { Change, Topic } from '../../src-shared/operator-contract/node.ts';
import type { PaymentDetail, PaymentFilter } from '../../src-shared/operator-contract/payments/payments.ts';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import * as data from './fake-data.ts';

/** A node in the page's memory, for `vite dev` with `?fake` or `?fake=empty`. It keeps no rules and only answers. */

// An operation that is missing here answers with an error, as a broken node would.
const {
  lock,
  node,
  accounts: accountsPart,
  payments: paymentsPart,
  approvals: approvalsPart,
  apps,
  requests: requestsPart,
  people,
  health,
  products,
  shop,
  settings,
} = contract;
const os = implement({
  lock: { state: lock.state },
  node,
  accounts: accountsPart,
  payments: paymentsPart,
  approvals: approvalsPart,
  apps,
  requests: requestsPart,
  people: { me: people.me },
  health: { disk: health.disk },
  products: { list: products.list, byCode: products.byCode },
  shop: { get: shop.get },
  settings: { till: settings.till },
});
const empty = new URLSearchParams(location.search).get('fake') === 'empty';
const began = performance.now();
const now = (): Date => new Date(data.START.getTime() + performance.now() - began);

const accounts = empty ? [] : [...data.accounts];
const payments = empty ? [] : data.payments;
const approvals = empty ? [] : [...data.approvals];
const grants = empty ? [] : data.grants;
let trust = data.trust;
const movements = empty ? [] : [...data.movements];
const requests = empty ? [] : data.accounts.slice(0, 1).map((account) => data.request(account, 2_600n, 'Two rose bushes', data.START));
const keys = empty ? [] : [...data.keys];

const listeners = new Set<(change: Change) => void>();
let position = 0n;
function tell(...topics: Topic[]): void {
  position += 1n;
  for (const listener of listeners) listener({ position, topics, subjects: [] });
}

function found<T extends { id: string }>(items: T[], id: string, missing: () => Error): T {
  const item = items.find((one) => one.id === id);
  if (item === undefined) throw missing();
  return item;
}

function page<T>(items: T[], cursor: string | undefined, limit: number): { items: T[]; nextCursor: string | null } {
  const from = Number(cursor ?? 0);
  return { items: items.slice(from, from + limit), nextCursor: from + limit < items.length ? String(from + limit) : null };
}

function matching(filter: PaymentFilter): PaymentDetail[] {
  const text = filter.text?.toLowerCase() ?? '';
  return payments.filter(
    (one) =>
      (filter.direction === undefined || one.direction === filter.direction) &&
      (filter.status === undefined || one.status === filter.status) &&
      (filter.accountId === undefined || one.accountId === filter.accountId) &&
      [one.description, one.reference, one.client, one.id].some((part) => (part ?? '').toLowerCase().includes(text)),
  );
}

function endToken(id: string, state: 'rotated' | 'revoked', missing: () => Error): Grant {
  const grant = grants.find(({ tokens }) => tokens.some((token) => token.id === id));
  const token = grant?.tokens.find((one) => one.id === id);
  if (grant === undefined || token === undefined) throw missing();
  if (state === 'rotated') token.awaitsRotation = true;
  else token.state = state;
  tell('apps');
  return grant;
}

const namesIn = (part: ContractRouter<object>, path: readonly string[] = []): string[] =>
  isContractProcedure(part) ? [path.join('.')] : Object.entries(part).flatMap(([name, inner]) => namesIn(inner, [...path, name]));

const router = os.router({
  people: {
    me: os.people.me.handler(() => ({
      person: { id: 'owner' as const, name: '' },
      till: null,
      role: 'owner' as const,
      may: namesIn(contract),
      isLimited: false,
      byPin: false,
      isShared: false,
    })),
  },
  lock: {
    state: os.lock.state.handler(() => ({
      protected: false,
      locked: false,
      reason: null,
      secondsLeft: 0,
      settings: { idleMinutes: null, atStart: true },
    })),
  },
  node: {
    info: os.node.info.handler(() => ({
      version: '0.1.0',
      host: 'headless',
      publicUrl: 'http://127.0.0.1:3000',
      reachableByOthers: false,
      database: null,
      development: false,
      timeZone: 'UTC',
      dayEndsAt: 0,
      connected: true,
      now: now(),
    })),
    overview: os.node.overview.handler(() => ({
      now: now(),
      balances: accounts.map(({ assetCode, assetScale, balance, reserved }) => ({
        ...{ assetCode, assetScale, value: balance, reserved, accounts: 1 },
      })),
      today: empty ? [] : [{ assetCode: 'USD', assetScale: 2, received: 48_310n, sent: 12_050n }],
      history: data.history(now(), empty),
      waitingApprovals: approvals.length,
      paymentsUnderWay: payments.filter(({ status }) => ['queued', 'sending', 'retrying'].includes(status)).length,
      paymentsUnknown: payments.filter(({ status }) => status === 'unknown').length,
      failedToday: payments.length === 0 ? 0 : 1,
      health: [
        { name: 'database', state: 'good', problem: null },
        { name: 'ledger', state: 'good', unbalanced: [], damages: [], isShared: false },
        { name: 'payments', state: 'good', stuck: 0, unknown: 0 },
        { name: 'reachable', state: 'warning' },
      ],
    })),
    changes: os.node.changes.handler(async function* ({ signal }) {
      const waiting: Change[] = [{ position, topics: [], subjects: [] }];
      let wake = Promise.withResolvers<void>();
      const listener = (change: Change) => {
        waiting.push(change);
        wake.resolve();
      };
      listeners.add(listener);
      signal?.addEventListener('abort', () => wake.resolve());
      try {
        while (signal?.aborted !== true) {
          for (let change = waiting.shift(); change !== undefined; change = waiting.shift()) yield change;
          await wake.promise;
          wake = Promise.withResolvers();
        }
      } finally {
        listeners.delete(listener);
      }
    }),
  },
  health: {
    disk: os.health.disk.handler(() => ({
      ...{ at: now(), total: 42_000_000, free: 1_000_000, room: 9_000_000_000, perDay: 350_000, shrinks: true, held: null },
      kinds: [
        { kind: 'payments', bytes: 30_000_000 },
        { kind: 'events', bytes: 8_000_000 },
        { kind: 'books', bytes: 3_000_000 },
      ],
      removed: [
        { kind: 'unpaid_requests', days: 30 },
        { kind: 'signatures', days: 0 },
      ],
    })),
  },
  products: {
    list: os.products.list.handler(() => ({ items: empty ? [] : [...data.products], nextCursor: null })),
    byCode: os.products.byCode.handler(({ input }) => ({ product: data.products.find(({ code }) => code === input.code) ?? null })),
  },
  shop: { get: os.shop.get.handler(() => ({ profile: EMPTY_PROFILE, logo: null, logoHash: null, logoDots: null })) },
  settings: { till: os.settings.till.handler(() => ({ lapseMinutes: 10, tipPercents: [5, 10, 15] })) },
  accounts: {
    list: os.accounts.list.handler(({ input }) => page(accounts, input.cursor, input.limit)),
    get: os.accounts.get.handler(({ input, errors }) => found(accounts, input.id, errors.NOT_FOUND)),
    create: os.accounts.create.handler(({ input, errors }) => {
      if (accounts.some(({ name }) => name === input.name)) throw errors.NAME_TAKEN();
      const created = data.account(input.name, input.publicName, input.assetCode, input.assetScale, input.openingBalance);
      accounts.push(created);
      tell('accounts');
      return created;
    }),
    movements: os.accounts.movements.handler(({ input }) => page(movements, input.cursor, input.limit)),
    deposit: os.accounts.deposit.handler(({ input, errors }) => {
      const account = found(accounts, input.id, errors.NOT_FOUND);
      account.balance += input.amount;
      movements.unshift({
        id: data.id(),
        kind: 'deposit',
        change: input.amount,
        note: input.note || null,
        other: null,
        paymentId: null,
        at: now(),
      });
      tell('accounts');
      return account;
    }),
    withdraw: os.accounts.withdraw.handler(({ input, errors }) => {
      const account = found(accounts, input.id, errors.NOT_FOUND);
      if (account.balance < input.amount) throw errors.INSUFFICIENT_BALANCE();
      account.balance -= input.amount;
      tell('accounts');
      return account;
    }),
    keys: {
      list: os.accounts.keys.list.handler(() => keys),
      add: os.accounts.keys.add.handler(({ input, errors }) => {
        if (!input.jwk.includes('Ed25519')) throw errors.INVALID_KEY();
        const key = { id: data.id(), kid: 'new-key', label: input.label, createdAt: now(), revokedAt: null };
        keys.unshift(key);
        tell('keys');
        return key;
      }),
      revoke: os.accounts.keys.revoke.handler(({ input, errors }) => {
        const key = found(keys, input.keyId, errors.NOT_FOUND);
        key.revokedAt = now();
        tell('keys');
        return key;
      }),
    },
  },
  payments: {
    list: os.payments.list.handler(({ input }) => {
      const from = input.offset + Number(input.cursor ?? 0);
      return { ...page(matching(input), String(from), input.limit), place: null };
    }),
    summary: os.payments.summary.handler(({ input }) => {
      const found = matching(input);
      const sum = (way: 'in' | 'out') => found.reduce((all, one) => (one.direction === way ? all + one.progress.value : all), 0n);
      return {
        count: found.length,
        newer: 0,
        totals: [{ assetCode: 'USD', assetScale: 2, count: found.length, received: sum('in'), sent: sum('out') }],
      };
    }),
    export: os.payments.export.handler(async function* () {
      yield { csv: '"created"\r\n', rows: 0, of: 0 };
    }),
    payee: os.payments.payee.handler(({ errors }) => {
      throw errors.PAYEE_UNKNOWN();
    }),
    quote: os.payments.quote.handler(({ errors }) => {
      throw errors.PAYEE_UNKNOWN();
    }),
    pay: os.payments.pay.handler(({ errors }) => {
      throw errors.QUOTE_ENDED();
    }),
    get: os.payments.get.handler(({ input, errors }) => found(payments, input.id, errors.NOT_FOUND)),
    archived: os.payments.archived.handler(() => ({ timeline: [], rows: [], problems: [], nextCursor: null })),
    resolve: os.payments.resolve.handler(({ input, errors }) => {
      const payment = found(payments, input.id, errors.NOT_FOUND);
      if (payment.status !== 'unknown') throw errors.NOT_UNKNOWN();
      payment.status = input.outcome === 'arrived' ? 'completed' : 'failed';
      payment.openPackets = [];
      tell('payments');
      return payment;
    }),
    complete: os.payments.complete.handler(({ input, errors }) => {
      const payment = found(payments, input.id, errors.NOT_FOUND);
      payment.completed = true;
      payment.status = payment.progress.value > 0n ? 'partly_paid' : 'cancelled';
      tell('payments');
      return payment;
    }),
  },
  requests: {
    create: os.requests.create.handler(({ input, errors }) => {
      const account = found(accounts, input.accountId, errors.NOT_FOUND);
      const request = data.request(account, input.amount, input.description, now());
      requests.unshift(request);
      tell('payments');
      return request;
    }),
    accounts: os.requests.accounts.handler(() => ({ items: accounts })),
    open: os.requests.open.handler(() => ({ items: requests, more: false })),
    get: os.requests.get.handler(({ input, errors }) => found(requests, input.id, errors.NOT_FOUND)),
    cancel: os.requests.cancel.handler(({ input, errors }) => {
      const request = found(requests, input.id, errors.NOT_FOUND);
      Object.assign(request, { completed: true, status: 'cancelled', cancelReason: input.reason ?? null });
      tell('payments');
      return request;
    }),
    changeNotes: os.requests.changeNotes.handler(({ input, errors }) => {
      const request = found(requests, input.id, errors.NOT_FOUND);
      Object.assign(request, { reference: input.reference || null, note: input.note || null });
      tell('payments');
      return request;
    }),
    bill: os.requests.bill.handler(() => ({ bill: null })),
    sales: os.requests.sales.handler(() => ({ items: requests.filter(({ madeAt }) => madeAt === 'till'), more: false })),
    failedAttempts: os.requests.failedAttempts.handler(() => []),
  },
  approvals: {
    list: os.approvals.list.handler(() => approvals),
    get: os.approvals.get.handler(({ input, errors }) => found(approvals, input.id, errors.NOT_FOUND)),
    approve: os.approvals.approve.handler(({ input, errors }) => {
      const request = found(approvals, input.id, errors.NOT_FOUND);
      if (input.code !== '1234') {
        request.wrongCodes += 1;
        throw errors.WRONG_CODE({ data: { attemptsLeft: 5 - request.wrongCodes } });
      }
      approvals.splice(approvals.indexOf(request), 1);
      tell('approvals', 'apps');
      return { approved: true as const };
    }),
    deny: os.approvals.deny.handler(({ input, errors }) => {
      approvals.splice(approvals.indexOf(found(approvals, input.id, errors.NOT_FOUND)), 1);
      tell('approvals', 'apps');
      return { denied: true as const };
    }),
  },
  apps: {
    grants: os.apps.grants.handler(({ input }) => ({ ...page(grants, input.cursor, input.limit), free: 2 })),
    revokeSeveral: os.apps.revokeSeveral.handler(({ input }) => {
      for (const grant of grants) if (input.ids.includes(grant.id)) grant.state = 'revoked';
      tell('apps');
      return { ended: input.ids.length };
    }),
    grant: os.apps.grant.handler(({ input, errors }) => found(grants, input.id, errors.NOT_FOUND)),
    trust: os.apps.trust.handler(() => trust),
    chooseTrust: os.apps.chooseTrust.handler(({ input }) => {
      trust = { ...trust, chosen: input.tier, tier: input.tier ?? trust.usual };
      tell('apps');
      return trust;
    }),
    rotateToken: os.apps.rotateToken.handler(({ input, errors }) => endToken(input.id, 'rotated', errors.NOT_FOUND)),
    revokeToken: os.apps.revokeToken.handler(({ input, errors }) => endToken(input.id, 'revoked', errors.NOT_FOUND)),
    allowAgain: os.apps.allowAgain.handler(({ input, errors }) => {
      const grant = found(grants, input.id, errors.NOT_FOUND);
      grant.state = 'issued';
      tell('apps');
      return grant;
    }),
    frozen: os.apps.frozen.handler(() => grants.filter(({ state }) => state === 'frozen')),
    allowSeveralAgain: os.apps.allowSeveralAgain.handler(({ input }) => {
      const frozen = grants.filter(({ id, state }) => input.ids.includes(id) && state === 'frozen');
      for (const grant of frozen) grant.state = 'issued';
      tell('apps');
      return { allowed: frozen.length, waiting: 0 };
    }),
    revokeAll: os.apps.revokeAll.handler(({ input }) => {
      const living = grants.filter(({ client, state }) => client.id === input.client && state === 'issued');
      for (const grant of living) grant.state = 'revoked';
      tell('apps');
      return { ended: living.length };
    }),
    revokeGrant: os.apps.revokeGrant.handler(({ input, errors }) => {
      const grant = found(grants, input.id, errors.NOT_FOUND);
      grant.state = 'revoked';
      for (const token of grant.tokens) token.state = 'revoked';
      tell('apps');
      return grant;
    }),
  },
});

/** Serves the made-up node over a port in this page. */
export function openFakeNode(): RPCLink<Record<never, never>> {
  const { port1, port2 } = new MessageChannel();
  new RPCHandler(router).upgrade(port2);
  port2.start();
  const link = new RPCLink({ port: port1 });
  port1.start();
  return link;
}
