import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src-shared/operator-contract/contract.ts';
import { writeInvitationCode } from '../../src-shared/typed-input/invitation-code.ts';
import { freezeAccess } from '../access/grants/after-copy.ts';
import { testKey } from '../access/http-signatures/testing/signed-requests.ts';
import { activities } from '../journal/tables.ts';
import type { OperatorContext } from '../operator-api/context.ts';
import { actNamed, kindOf } from '../operator-api/operator-acts.ts';
import { browserAt, HERE } from '../operator-api/sign-in/testing/browsers.ts';
import { engine } from '../platform/database/testing/engine.ts';
import { asked } from './testing/grant-steps.ts';
import { openOperator } from './testing/node-operator.ts';
import { paperActs } from './testing/paper-acts.ts';
import { peopleActs } from './testing/people-acts.ts';
import { productActs } from './testing/product-acts.ts';
import { rateActs } from './testing/rate-acts.ts';
import { secondPersonActs } from './testing/second-person-acts.ts';
import { signInActs } from './testing/sign-in-acts.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

type Operator = ReturnType<typeof openOperator>['client'];

let node: TestNode;
let operator: Operator;
let context: OperatorContext;
let rateAnswers: ReturnType<typeof openOperator>['rateAnswers'];
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-activity-'));
  node = await openTestNode();
  ({ client: operator, context, rateAnswers } = openOperator(node, folder));
});
afterAll(async () => {
  await context.lock.close();
  await node.close();
  rmSync(folder, { recursive: true });
});

const usd = { assetCode: 'USD', assetScale: 2 };
const fresh = () => ({ requestId: randomUUID() });
const bakery = () => ({
  ...{ name: 'Bakery', ...usd, ilpAddress: `g.bakery.${randomUUID()}`, routes: [], endpoint: 'https://bakery.example/ilp' },
  ...{ creditLimit: 100n, debtLimit: null, maxPacketAmount: null, deduplicates: true, outgoingToken: randomUUID() },
});
const newPeer = async () => (await operator.peers.add({ ...fresh(), ...bakery() })).peer.id;
const invitation = () => ({ ...fresh(), ...usd, creditLimit: 5n, introduction: 'The shop' });
const newRequest = async () => (await operator.requests.create({ ...fresh(), accountId: node.accounts.alice.id, amount: 100n })).id;
const rate = () => ({ rate: '0.9', spreadBps: 0, source: 'bank', asOf: new Date(node.clock.now()), maxAgeSeconds: 3_600 });
const newKey = async () => {
  const { jwk } = await testKey(randomUUID());
  return await operator.accounts.keys.add({ id: node.accounts.alice.id, label: 'Till', jwk: JSON.stringify(jwk) });
};
const quoted = async () =>
  await operator.payments.quote({ ...fresh(), accountId: node.accounts.alice.id, payee: `${ORIGIN}/carol`, send: 100n });
const LOCK = { idleMinutes: 5, atStart: false };
const PASSPHRASE = 'correct horse battery';

/** Makes a grant with a valid token. */
async function granted() {
  await node.giveToken([{ type: 'incoming-payment', actions: ['create', 'read'] }]);
  const { items } = await operator.apps.grants({});
  const grant = items.find(({ state, tokens }) => state === 'issued' && tokens.length > 0 && tokens.every((one) => one.state === 'active'));
  return { id: grant?.id ?? '', token: grant?.tokens[0]?.id ?? '' };
}

async function frozen() {
  const { id } = await granted();
  await node.database.write((tx) => freezeAccess(tx, node.clock.now()));
  return { id };
}

async function signIn(): Promise<string> {
  const { secret } = await context.sessions.createLink();
  await context.sessions.redeem(secret, browserAt(HERE, 'a browser'));
  return (await context.sessions.list())[0]?.id ?? '';
}

/** They copy the file of SQLite. */
const OF_FILES = ['backups.make', 'restore.start'];

/** The function of each operation prepares what the operation needs and returns the call itself. */
const DONE: Record<string, () => Promise<() => Promise<unknown>>> = {
  'accounts.create': async () => () =>
    operator.accounts.create({ ...fresh(), name: `n${randomUUID().slice(0, 8)}`, publicName: 'New', ...usd, openingBalance: 5n }),
  'accounts.deposit': async () => () => operator.accounts.deposit({ ...fresh(), id: node.accounts.alice.id, amount: 5n, note: '' }),
  'accounts.withdraw': async () => () => operator.accounts.withdraw({ ...fresh(), id: node.accounts.alice.id, amount: 5n, note: '' }),
  'accounts.keys.add': async () => newKey,
  'accounts.keys.revoke': async () => {
    const { id } = await newKey();
    return () => operator.accounts.keys.revoke({ keyId: id });
  },
  'payments.complete': async () => {
    const id = await newRequest();
    return () => operator.payments.complete({ id });
  },
  'payments.pay': async () => {
    const { id: quoteId } = await quoted();
    return () => operator.payments.pay({ ...fresh(), accountId: node.accounts.alice.id, quoteId, note: '' });
  },
  'refunds.create': async () => {
    const { alice, carol } = node.accounts;
    const { id: paymentId, link: payee } = await operator.requests.create({ ...fresh(), accountId: carol.id, amount: 100n });
    const { id: quoteId } = await operator.payments.quote({ ...fresh(), accountId: alice.id, payee });
    await operator.payments.pay({ ...fresh(), accountId: alice.id, quoteId, note: '' });
    await expect.poll(async () => (await operator.payments.get({ id: paymentId })).payers.length).toBe(1);
    return () => operator.refunds.create({ ...fresh(), paymentId, amount: 5n });
  },
  'payments.export': async () => async () => {
    for await (const _part of await operator.payments.export({}));
  },
  'activity.export': async () => async () => {
    for await (const _part of await operator.activity.export({}));
  },
  'health.supportBundle': async () => () => operator.health.supportBundle(),
  'requests.create': async () => newRequest,
  'requests.cancel': async () => {
    const id = await newRequest();
    return () => operator.requests.cancel({ id, reason: 'Sold out' });
  },
  'requests.changeNotes': async () => {
    const id = await newRequest();
    return () => operator.requests.changeNotes({ id, note: 'Ann' });
  },
  'approvals.approve': async () => {
    const request = await asked(node);
    return () => operator.approvals.approve(request);
  },
  'approvals.deny': async () => {
    const { id } = await asked(node);
    return () => operator.approvals.deny({ id });
  },
  'apps.rotateToken': async () => {
    const { token } = await granted();
    return () => operator.apps.rotateToken({ id: token });
  },
  'apps.revokeToken': async () => {
    const { token } = await granted();
    return () => operator.apps.revokeToken({ id: token });
  },
  'apps.revokeGrant': async () => {
    const { id } = await granted();
    return () => operator.apps.revokeGrant({ id });
  },
  'apps.revokeSeveral': async () => {
    const { id } = await granted();
    return () => operator.apps.revokeSeveral({ ids: [id] });
  },
  'apps.revokeAll': async () => {
    const { client } = await operator.apps.grant({ id: (await granted()).id });
    // The grants that other tests left to the client end first, because each grant that ends is an entry.
    await operator.apps.revokeAll({ client: client.id });
    await granted();
    return () => operator.apps.revokeAll({ client: client.id });
  },
  'apps.allowAgain': async () => {
    const { id } = await frozen();
    return () => operator.apps.allowAgain({ id });
  },
  'apps.allowSeveralAgain': async () => {
    const { id } = await frozen();
    return () => operator.apps.allowSeveralAgain({ ids: [id] });
  },
  'apps.chooseTrust': async () => {
    const { id } = await granted();
    return () => operator.apps.chooseTrust({ id, tier: 'known' });
  },
  'peers.add': async () => newPeer,
  'peers.edit': async () => {
    const id = await newPeer();
    return () => operator.peers.edit({ id, name: 'Baker' });
  },
  'peers.renewToken': async () => {
    const id = await newPeer();
    return () => operator.peers.renewToken({ id });
  },
  'peers.pause': async () => {
    const id = await newPeer();
    return () => operator.peers.pause({ id });
  },
  'peers.resume': async () => {
    const id = await newPeer();
    await operator.peers.pause({ id });
    return () => operator.peers.resume({ id });
  },
  'peers.remove': async () => {
    const id = await newPeer();
    return () => operator.peers.remove({ id });
  },
  'peers.settle': async () => {
    const id = await newPeer();
    return () => operator.peers.settle({ ...fresh(), id, direction: 'received', amount: 5n, note: '' });
  },
  'invitations.create': async () => () => operator.invitations.create(invitation()),
  'invitations.changeLimit': async () => {
    const { id } = (await operator.invitations.create(invitation())).invitation;
    return () => operator.invitations.changeLimit({ id, creditLimit: 7n });
  },
  'invitations.cancel': async () => {
    const { id } = (await operator.invitations.create(invitation())).invitation;
    return () => operator.invitations.cancel({ id });
  },
  // No other node answers here.
  'invitations.accept': async () => {
    const code = writeInvitationCode({ origin: 'https://other.example', secret: randomBytes(16) });
    const wanted = { code, terms: { ...usd, theirLimit: 5n }, creditLimit: 5n, name: 'Garden shop', introduction: 'Bakery' };
    return () => operator.invitations.accept(wanted).catch(() => undefined);
  },
  'invitations.renewTokens': async () => {
    const id = await newPeer();
    return () => operator.invitations.renewTokens({ id }).catch(() => undefined);
  },
  'rates.set': async () => () => operator.rates.set({ base: 'USD', quote: 'EUR', ...rate() }),
  'rates.remove': async () => {
    await operator.rates.set({ base: 'JPY', quote: 'EUR', ...rate() });
    return () => operator.rates.remove({ base: 'JPY', quote: 'EUR' });
  },
  ...rateActs(() => ({ client: operator, rateAnswers })),
  'rates.fund': async () => () => operator.rates.fund({ ...fresh(), ...usd, amount: 50n, note: '' }),
  'rates.withdraw': async () => {
    await operator.rates.fund({ ...fresh(), ...usd, amount: 50n, note: '' });
    return () => operator.rates.withdraw({ ...fresh(), ...usd, amount: 5n, note: '' });
  },
  'backups.make': async () => () => operator.backups.make({ folder, passphrase: PASSPHRASE }),
  'restore.start': async () => {
    const { file } = await operator.backups.make({ folder, passphrase: PASSPHRASE });
    const data = readFileSync(file);
    const { id, partBytes } = await operator.restore.begin({ bytes: data.length });
    for (let offset = 0; offset < data.length; offset += partBytes) {
      await operator.restore.part({ id, offset, data: data.subarray(offset, offset + partBytes).toString('base64') });
    }
    await operator.restore.look({ id, passphrase: PASSPHRASE });
    return () => operator.restore.start({ id, confirm: 'restore' });
  },
  'backups.setSchedule': async () => () => operator.backups.setSchedule({ folder, passphrase: PASSPHRASE, everyHours: 24, keep: 3 }),
  'backups.removeSchedule': async () => {
    await operator.backups.setSchedule({ folder, passphrase: PASSPHRASE, everyHours: 24, keep: 3 });
    return () => operator.backups.removeSchedule();
  },
  'settings.setTimeZone': async () => () => operator.settings.setTimeZone({ timeZone: 'Europe/Berlin' }),
  'closings.close': async () => {
    const { last } = await operator.closings.current();
    return () => operator.closings.close({ ...fresh(), last });
  },
  'shop.set': async () => {
    const { profile } = await operator.shop.get();
    return () => operator.shop.set({ ...profile, name: 'Books & Tea' });
  },
  'shop.setLogo': async () => () => operator.shop.setLogo({ data: Buffer.from('\xff\xd8\xff', 'latin1').toString('base64') }),
  'shop.removeLogo': async () => () => operator.shop.removeLogo(),
  'settings.setTips': async () => () => operator.settings.setTips({ percents: [5, 10, 15] }),
  'settings.setTill': async () => () => operator.settings.setTill({ lapseMinutes: 5 }),
  'desktop.change': async () => async () => operator.desktop.change((await operator.desktop.get()).settings),
  'lock.protect': async () => () => operator.lock.protect({ passphrase: PASSPHRASE, settings: LOCK }),
  'lock.changeSettings': async () => () => operator.lock.changeSettings(LOCK),
  'lock.changePassphrase': async () => () => operator.lock.changePassphrase({ current: PASSPHRASE, passphrase: PASSPHRASE }),
  'lock.now': async () => () => operator.lock.now(),
  'lock.open': async () => () => operator.lock.open({ passphrase: PASSPHRASE }),
  'lock.removePassphrase': async () => () => operator.lock.removePassphrase({ current: PASSPHRASE }),
  'sessions.end': async () => {
    const id = await signIn();
    return () => operator.sessions.end({ id });
  },
  ...peopleActs(() => operator),
  ...secondPersonActs(() => context),
  ...paperActs(
    () => node,
    () => operator,
  ),
  ...productActs(() => operator),
  ...signInActs(() => ({ context, signIn })),
  'sessions.endOthers': async () => {
    // Other tests have left sessions, and each that ends is an entry.
    await operator.sessions.endOthers({});
    await signIn();
    return () => operator.sessions.endOthers({});
  },
};

/** Tested in operator-api/unknown-payments.test.ts, because nothing in this file can make a payment unknown. */
const ELSEWHERE = new Set(['payments.resolve']);

interface Operation {
  name: string;
  method: string | undefined;
}

function operationsIn(part: object, path: readonly string[] = []): Operation[] {
  return Object.entries(part).flatMap(([name, value]: [string, { '~orpc'?: { route: { method?: string } } }]) =>
    value['~orpc'] === undefined
      ? operationsIn(value, [...path, name])
      : [{ name: [...path, name].join('.'), method: value['~orpc'].route.method }],
  );
}

const OPERATIONS = operationsIn(contract);
/** Operations that are not read with GET, but that change nothing for which the operator is responsible. */
const HARMLESS = new Set([
  'payments.quote',
  'refunds.price',
  'wallets.check',
  'rateSources.test',
  'peers.test',
  'printing.tryNow',
  'peers.steps',
  'invitations.read',
  'invitations.testBothWays',
  'lock.inUse',
  'ways.beginPasskey',
  'ways.beginPassword',
  'restore.begin',
  'restore.part',
  'restore.look',
  'restore.discard',
]);

const entries = async () => await node.database.read.select().from(activities).orderBy(activities.number);

describe('the log of what the operator did', () => {
  it('knows every operation of the contract that changes something', () => {
    const unlogged = OPERATIONS.filter(({ name, method }) => method !== 'GET' && actNamed(name) === undefined).map(({ name }) => name);
    expect(new Set(unlogged)).toEqual(HARMLESS);
    const reading = OPERATIONS.filter(({ name, method }) => method === 'GET' && actNamed(name) !== undefined).map(({ name }) => name);
    expect(reading.filter((name) => kindOf(name) !== 'exports')).toEqual([]);
  });

  it('is tried below with every operation that goes into it', () => {
    const logged = OPERATIONS.filter(({ name }) => actNamed(name) !== undefined && !ELSEWHERE.has(name)).map(({ name }) => name);
    expect(Object.keys(DONE).sort()).toEqual(logged.sort());
  });

  it.each(Object.entries(DONE).filter(([name]) => engine === 'sqlite' || !OF_FILES.includes(name)))(
    'gets exactly one entry from %s',
    async (name, prepare) => {
      const act = await prepare();
      const before = (await entries()).length;
      await act();
      await context.backups?.runDue();
      // The console locks before the entry is stored. This write waits until it is stored.
      await node.database.write(async () => undefined);
      const added = (await entries()).slice(before);
      expect(added).toMatchObject([{ operation: name, type: actNamed(name)?.event }]);
    },
  );

  it('gets nothing from reading, nor from what is refused', async () => {
    const before = (await entries()).length;
    const quote = await quoted();
    expect(quote.debitAmount.value).toBe(100n);
    await operator.node.overview();
    await operator.accounts.list({});
    await operator.payments.list({});
    await operator.activity.list({});
    await operator.approvals.list();
    await expect(operator.accounts.withdraw({ ...fresh(), id: node.accounts.bob.id, amount: 5n, note: '' })).rejects.toThrow();
    await expect(operator.apps.revokeGrant({ id: randomUUID() })).rejects.toThrow();
    expect((await entries()).length).toBe(before);
  });

  it('gets one entry however often the same is asked for', async () => {
    const wanted = { ...fresh(), id: node.accounts.alice.id, amount: 7n, note: 'Till' };
    const before = (await entries()).length;
    await Promise.all([operator.accounts.deposit(wanted), operator.accounts.deposit(wanted)]);
    await operator.accounts.deposit(wanted);
    expect((await entries()).slice(before)).toMatchObject([{ operation: 'accounts.deposit', body: { amount: '7', note: 'Till' } }]);
  });

  it('is whole, and is found by kind, account, text and time', async () => {
    expect(await context.activityCheck.lookAtAll()).toMatchObject({ whole: true });
    const list = async (filter: Parameters<Operator['activity']['list']>[0]) => (await operator.activity.list(filter)).items;
    const money = await list({ kind: 'money', accountId: node.accounts.alice.id });
    expect(new Set(money.map(({ operation }) => operation))).toEqual(new Set(['accounts.deposit', 'accounts.withdraw']));
    expect(money[0]).toMatchObject({ facts: { note: 'Till' }, account: { name: 'alice', ...usd }, kind: 'money' });
    expect((await list({ text: 'TILL' })).length).toBeGreaterThan(0);
    expect(await list({ text: '%' })).toEqual([]);
    expect(await list({ before: new Date(0) })).toEqual([]);
    const first = await operator.activity.list({ limit: 3 });
    const second = await operator.activity.list({ limit: 3, below: first.below ?? 0 });
    expect(second.items.map(({ number }) => number)).toEqual([1, 2, 3].map((step) => (first.items.at(-1)?.number ?? 0) - step));
  });

  it('is exported with its hashes, and no cell of it is a formula', async () => {
    await operator.accounts.deposit({ ...fresh(), id: node.accounts.alice.id, amount: 1n, note: '=HYPERLINK("http://evil")' });
    let csv = '';
    for await (const part of await operator.activity.export({ kind: 'money' })) csv += part.csv;
    const [, newest = ''] = csv.split('\r\n');
    expect(newest).toContain('"accounts.deposit","alice"');
    expect(newest).toMatch(/"[0-9a-f]{64}","person","owner","","owner"$/);
    expect(csv).not.toMatch(/"[=+@-]/);
  });
});
