import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { events } from '../../journal/tables.ts';
import { ManualClock } from '../../platform/clock.ts';
import type { WireAccess } from '../rights/wire-access.ts';
import { grants } from '../tables.ts';
import {
  FINISH,
  grantRequest,
  openTestAccess,
  payingAccess,
  TEST_ORIGIN,
  type TestAccess,
  testClient,
  testJwk,
} from '../testing/access.ts';
import { ask, open } from '../testing/flows.ts';
import { sweepLapsed } from './lapses.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
let access: TestAccess;
beforeEach(() => {
  access = openTestAccess({ clock, documents: { 'https://shop.example/till': { publicName: 'Corner\u202e \u0007Bookshop' } } });
});
afterEach(() => access.dispose());

const incoming = (actions: string[], identifier?: string) =>
  ({ type: 'incoming-payment', actions, ...(identifier !== undefined && { identifier }) }) as WireAccess;
const keyClient = { kind: 'jwk', id: 'jwk:abc', jwk: testJwk() } as const;

describe('a grant request', () => {
  test.each<[string, 'issued' | 'pending', WireAccess[], string | undefined]>([
    ['to be paid', 'issued', [incoming(['create', 'complete', 'read', 'list'])], undefined],
    ['to read all incoming payments, as other wallets do before they pay', 'issued', [incoming(['read-all'])], undefined],
    ['for quotes', 'issued', [{ type: 'quote', actions: ['create', 'read', 'read-all'] }], undefined],
    ['to list everything', 'pending', [incoming(['list-all'], `${TEST_ORIGIN}/alice`)], undefined],
    ['to pay', 'pending', payingAccess(), undefined],
    [
      'to read outgoing payments',
      'pending',
      [{ type: 'outgoing-payment', actions: ['read'], identifier: `${TEST_ORIGIN}/alice` }],
      undefined,
    ],
    ['for several rights at once', 'pending', [{ type: 'quote', actions: ['create'] }, ...payingAccess()], undefined],
    ['for the proof of a wallet address alone', 'pending', [], `${TEST_ORIGIN}/alice`],
  ])('%s is %s at once', async (_, expected, wanted, subject) => {
    const answer = await access.grants.request(grantRequest({ access: wanted, subject }));
    expect(answer.ok && answer.value.kind).toBe(expected);
  });
});

describe('the node', () => {
  const alice = `${TEST_ORIGIN}/alice`;
  test.each([
    ['nothing_requested', { access: [] }],
    ['missing_interact', { interact: undefined }],
    ['jwk_cannot_interact', { client: keyClient }],
    ['jwk_cannot_interact', { client: keyClient, access: [incoming(['create'])] }],
    ['identifier_required', { access: [incoming(['list-all'])] }],
    ['unknown_identifier', { access: [{ ...payingAccess()[0], identifier: `${TEST_ORIGIN}/nobody` } as WireAccess] }],
    ['unknown_identifier', { access: [incoming(['create'], 'https://elsewhere.example/alice')] }],
    ['unknown_identifier', { access: [], subject: `${TEST_ORIGIN}/nobody` }],
    [
      'several_paying_rights',
      { access: [...payingAccess(), { type: 'outgoing-payment', actions: ['create'], identifier: alice } as WireAccess] },
    ],
    ['limit_asset_mismatch', { access: payingAccess({ debitAmount: { value: '1', assetCode: 'EUR', assetScale: 2 } }) }],
    ['invalid_finish_uri', { interact: { finish: { ...FINISH, uri: 'javascript:alert(1)' } } }],
    ['client_without_document', { client: testClient('x', 'https://elsewhere.example') }],
    ['client_without_document', { client: testClient('nobody') }],
  ])('refuses a grant request at once for %s', async (problem, change) => {
    expect(await access.grants.request(grantRequest(change))).toEqual({ ok: false, error: problem });
    expect(await access.database.read.select().from(grants)).toEqual([]);
  });

  test('gives a client with only a key what needs no approval, bound to the key’s thumbprint', async () => {
    const answer = await access.grants.request(grantRequest({ client: keyClient, access: [incoming(['create'])], interact: undefined }));
    expect(answer.ok && answer.value.kind).toBe('issued');
    const [row] = await access.database.read.select().from(grants);
    expect(row).toMatchObject({ clientKind: 'jwk', clientId: 'jwk:abc', clientJwk: keyClient.jwk });
  });
});

test('a former origin of the node names the same account', async () => {
  const wanted = payingAccess().map((item) => ({ ...item, identifier: 'http://former.example/alice' })) as WireAccess[];
  expect((await access.grants.request(grantRequest({ access: wanted }))).ok).toBe(true);
});

test('the interaction, the continuation and what the operator approves have ids of their own', async () => {
  const { interaction, continuation, grantId } = await ask(access);
  expect(new Set([interaction.id, continuation.id, grantId]).size).toBe(3);
  expect(await access.views.getApproval(interaction.id)).toBeUndefined();
  expect(await access.views.getApproval(grantId)).toMatchObject({ id: grantId });
});

test('nothing that is stored can be shown as a token', async () => {
  const pending = await ask(access);
  const answer = await access.grants.request(grantRequest({ access: [incoming(['create'])] }));
  if (!answer.ok || answer.value.kind !== 'issued') throw new Error('no token');
  const stored = JSON.stringify([
    await access.database.read.select().from(grants),
    await access.database.read.select({ body: events.body }).from(events),
  ]);
  for (const secret of [pending.continuation.token, pending.interaction.nonce, answer.value.token.value, answer.value.continuation.token]) {
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(stored).not.toContain(secret);
  }
  expect(answer.value.token.id).not.toContain(answer.value.token.value);
});

test('the name that a client gives itself is stored without characters that disguise it', async () => {
  const { grantId } = await ask(access, { client: testClient('till', 'https://shop.example') });
  expect((await access.views.getApproval(grantId))?.client).toEqual({
    id: 'https://shop.example/till',
    host: 'shop.example/till',
    selfAssertedName: 'Corner Bookshop',
  });
});

describe('the number of waiting grant requests', () => {
  const apps = (count: number) => Array.from({ length: count }, (_, i) => `https://c${i}.example`);
  const openTwenty = async () => {
    const documents = Object.fromEntries(apps(22).map((origin) => [`${origin}/x`, {}]));
    await access.dispose();
    access = openTestAccess({ clock, documents });
    for (const origin of apps(20)) await open(access, await ask(access, { client: testClient('x', origin) }));
  };

  test('is at most three for one client: a fourth takes the place of the oldest whose page nobody has opened', async () => {
    const first = await ask(access);
    const opened = await ask(access);
    await open(access, opened);
    await ask(access);
    await ask(access);
    expect((await access.views.getGrant(first.grantId))?.state).toBe('lapsed');
    expect((await access.views.getGrant(opened.grantId))?.state).toBe('pending');
  });

  test('is at most three for one client: no fourth comes while the pages of all three are open', async () => {
    const first = await ask(access);
    await open(access, first);
    await open(access, await ask(access));
    await open(access, await ask(access));
    expect(await access.grants.request(grantRequest())).toEqual({ ok: false, error: 'too_many_waiting' });
    await ask(access, { client: testClient('alice') });
    await access.approvals.deny(first.grantId);
    await ask(access);
  });

  test('shuts nobody out while nobody has opened their pages', async () => {
    const documents = Object.fromEntries(apps(7).map((origin) => [`${origin}/x`, {}]));
    await access.dispose();
    access = openTestAccess({ clock, documents });
    for (let i = 0; i < 20; i++) await ask(access, { client: testClient('x', apps(7)[i % 7]) });
    const mine = await ask(access);
    await open(access, mine);
    expect((await access.views.listApprovals()).map(({ id }) => id)).toEqual([mine.grantId]);
  });

  test('leaves a page without a place among twenty opened ones that opens when one is decided', async () => {
    await openTwenty();
    const late = await ask(access, { client: testClient('x', 'https://c20.example') });
    expect(await access.interactions.open(late.interaction.id, late.interaction.nonce)).toEqual({ kind: 'crowded' });
    const [decided] = await access.views.listApprovals();
    await access.approvals.deny(decided?.id ?? '');
    expect(await access.interactions.open(late.interaction.id, late.interaction.nonce)).toMatchObject({ kind: 'waiting' });
  });
});

describe('a waiting grant request', () => {
  test('lapses after five minutes, or ten minutes after its page was opened', async () => {
    const unopened = await ask(access);
    const opened = await ask(access);
    clock.advance(4 * 60_000);
    await open(access, opened);
    clock.advance(60_000);
    expect(await access.approvals.deny(unopened.grantId)).toEqual({ ok: false, error: 'not_waiting' });
    expect((await access.views.listApprovals()).map(({ id }) => id)).toEqual([opened.grantId]);
    clock.advance(9 * 60_000);
    expect(await access.views.listApprovals()).toEqual([]);
    expect((await access.views.getGrant(opened.grantId))?.state).toBe('lapsed');
  });

  test('lapses by its own time when the clock was ahead and is put right', async () => {
    clock.jump(2 * 3_600_000);
    await open(access, await ask(access));
    clock.jump(-2 * 3_600_000);
    await sweepLapsed(access.database, clock);
    clock.advance(10 * 60_000);
    expect(await access.views.listApprovals()).toEqual([]);
  });

  test('is stored as lapsed once, with an event', async () => {
    const { grantId } = await ask(access);
    await sweepLapsed(access.database, clock);
    clock.advance(5 * 60_000);
    await sweepLapsed(access.database, clock);
    await sweepLapsed(access.database, clock);
    const told = await access.database.read.select({ type: events.type, subject: events.subject }).from(events);
    expect(told.filter(({ type }) => type === 'grant.lapsed')).toEqual([{ type: 'grant.lapsed', subject: grantId }]);
  });
});
