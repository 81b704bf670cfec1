import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { hashSecret } from '../secrets.ts';
import { accessTokens, grants } from '../tables.ts';
import { openTestAccess, type TestAccess } from '../testing/access.ts';
import { issued, livingToken } from '../testing/flows.ts';
import type { IssuedToken } from './access-tokens.ts';
import { RetrySeals } from './retry-seals.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
let access: TestAccess;
let token: IssuedToken;
let grantId: string;
beforeEach(async () => {
  access = openTestAccess({ clock });
  const given = await issued(access);
  token = given.token;
  grantId = given.grant.id;
});
afterEach(() => access.dispose());

async function managed(id: string, value: string) {
  const found = await access.tokens.findManaged(id, value);
  if (found === undefined) throw new Error('no such token');
  return found;
}

async function rotate({ id, value }: IssuedToken): Promise<IssuedToken> {
  const outcome = await access.tokens.rotate(await managed(id, value));
  if (!outcome.ok) throw new Error(outcome.error);
  return outcome.value;
}

const rotation = async ({ id, value }: IssuedToken) => await access.tokens.rotate(await managed(id, value));
const ENDED = { ok: false, error: 'ended' };

describe('rotation', () => {
  test('gives another value with the same rights, even when the old one has expired', async () => {
    clock.advance(86_400_000);
    const next = await rotate(token);
    expect(next).toMatchObject({ access: token.access, expiresIn: 600 });
    expect(next.value).not.toBe(token.value);
    expect(next.id).not.toBe(token.id);
    expect((await livingToken(access, grantId))?.tokenHash).toBe(hashSecret(next.value));
  });

  test('repeats a lost answer for ten seconds', async () => {
    const next = await rotate(token);
    clock.advance(9_000);
    expect(await rotate(token)).toEqual({ ...next, expiresIn: 591 });
    clock.advance(1_000);
    expect(await rotation(token)).toEqual(ENDED);
  });

  test('is not repeated once the new token is rotated, revoked or ended by the operator', async () => {
    const second = await rotate(token);
    await rotate(second);
    expect(await rotation(token)).toEqual(ENDED);

    const other = await issued(access);
    const next = await rotate(other.token);
    await access.tokens.rotateByOperator(next.id);
    expect(await rotation(other.token)).toEqual(ENDED);

    const third = await issued(access);
    await rotate(third.token);
    await access.tokens.revoke(await managed(third.token.id, third.token.value));
    expect(await rotation(third.token)).toEqual(ENDED);
  });

  test('gives the same single token to twenty requests at once', async () => {
    const values = await Promise.all(Array.from({ length: 20 }, () => rotate(token)));
    expect(new Set(values.map(({ value }) => value)).size).toBe(1);
    const rows = await access.database.read.select().from(accessTokens);
    expect(rows.map(({ state }) => state).sort()).toEqual(['active', 'rotated']);
  });

  test('needs the value of exactly the token that it rotates', async () => {
    const next = await rotate(token);
    expect(await access.tokens.rotate(await managed(token.id, next.value))).toEqual(ENDED);
    const other = await issued(access);
    expect(await access.tokens.findManaged(token.id, other.token.value)).toBeUndefined();
    expect(await access.tokens.findManaged(token.id, '')).toBeUndefined();
    expect(await access.tokens.findManaged('nothing', token.value)).toBeUndefined();
  });

  test('is refused for a revoked token and for a revoked grant', async () => {
    await access.tokens.revoke(await managed(token.id, token.value));
    expect(await rotation(token)).toEqual(ENDED);
    const other = await issued(access);
    await access.views.revokeGrant(other.grant.id);
    expect(await rotation(other.token)).toEqual(ENDED);
  });
});

describe('the tokens of a grant with an end', () => {
  const endsAt = (ms: number) =>
    access.database.write((tx) =>
      tx
        .update(grants)
        .set({ expiresAt: clock.now() + ms })
        .where(eq(grants.id, grantId)),
    );

  test('end with it, and the last one is not rotated any more', async () => {
    await endsAt(1_500_000);
    clock.advance(600_000);
    const second = await rotate(token);
    expect(second.expiresIn).toBe(600);
    clock.advance(600_000);
    const last = await rotate(second);
    expect(last.expiresIn).toBe(300);
    clock.advance(299_999);
    const final = await rotate(last);
    expect(final.expiresIn).toBe(0);
    clock.advance(1);
    for (const ended of [final, last, second, token]) expect(await rotation(ended)).toEqual(ENDED);
  });

  test('are never rotated after it, however often and long after a client asks', async () => {
    await endsAt(300_000);
    clock.advance(300_000);
    for (let time = 0; time < 20; time++) {
      expect(await rotation(token)).toEqual(ENDED);
      clock.advance(86_400_000);
    }
    expect(await access.database.read.select().from(accessTokens)).toHaveLength(1);
  });

  test.each(['revoked', 'denied', 'lapsed', 'frozen'] as const)('are not rotated when it is %s', async (state) => {
    await access.database.write((tx) => tx.update(grants).set({ state }).where(eq(grants.id, grantId)));
    expect(await rotation(token)).toEqual(ENDED);
    expect(await access.database.read.select().from(accessTokens)).toHaveLength(1);
  });
});

describe('revocation', () => {
  test('ends the living token through any earlier id, however often it is asked for', async () => {
    const second = await rotate(token);
    const third = await rotate(second);
    await access.tokens.revoke(await managed(token.id, token.value));
    await access.tokens.revoke(await managed(token.id, third.value));
    await access.tokens.revoke(await managed(third.id, third.value));
    expect(await livingToken(access, grantId)).toBeUndefined();
  });

  test('may come from the operator', async () => {
    expect(await access.tokens.revokeByOperator(token.id)).toEqual({ ok: true, value: grantId });
    expect(await access.tokens.revokeByOperator(token.id)).toEqual({ ok: true, value: grantId });
    expect(await livingToken(access, grantId)).toBeUndefined();
    expect(await access.tokens.revokeByOperator('nothing')).toEqual({ ok: false, error: 'not_found' });
  });
});

describe('a rotation that the operator orders', () => {
  test('leaves the next value to the client and its key', async () => {
    expect(await access.tokens.rotateByOperator(token.id)).toEqual({ ok: true, value: grantId });
    expect(await access.tokens.rotateByOperator(token.id)).toEqual({ ok: true, value: grantId });
    expect(await livingToken(access, grantId)).toMatchObject({ id: token.id, awaitsRotation: true });
    const next = await rotate(token);
    expect(await livingToken(access, grantId)).toMatchObject({ id: next.id, awaitsRotation: false });
    expect(await access.tokens.rotateByOperator(token.id)).toEqual(ENDED);
    expect(await access.tokens.rotateByOperator('nothing')).toEqual({ ok: false, error: 'not_found' });
  });
});

describe('sealed answers', () => {
  const secrets = { stream: Buffer.alloc(32), derive: () => Buffer.alloc(32) };
  const seals = new RetrySeals(secrets);

  test('open only for their purpose, only unchanged, and not after a restart', () => {
    const sealed = seals.seal('value', 'rotate:1');
    expect(seals.open(sealed, 'rotate:1')).toBe('value');
    expect(seals.open(sealed, 'rotate:2')).toBeUndefined();
    for (const at of [0, 12, 20]) {
      const bytes = Buffer.from(sealed, 'base64url');
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(seals.open(bytes.toString('base64url'), 'rotate:1')).toBeUndefined();
    }
    expect(seals.open('', 'rotate:1')).toBeUndefined();
    expect(new RetrySeals(secrets).open(sealed, 'rotate:1')).toBeUndefined();
    expect(sealed).not.toContain(Buffer.from('value').toString('base64url'));
  });
});
