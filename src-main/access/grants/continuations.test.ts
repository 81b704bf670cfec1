import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { grantRequest, openTestAccess, payingAccess, TEST_ORIGIN, type TestAccess } from '../testing/access.ts';
import { approved, ask, issued, livingToken, open } from '../testing/flows.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
let access: TestAccess;
beforeEach(() => {
  access = openTestAccess({ clock });
});
afterEach(() => access.dispose());

type Asked = Awaited<ReturnType<typeof ask>>;

async function continueWith(asked: Asked, interactRef?: string) {
  const grant = await access.continuations.find(asked.continuation.id, asked.continuation.token);
  if (grant === undefined) throw new Error('no grant');
  return await access.continuations.continue(grant, interactRef);
}

const refOf = (asked: Asked) => access.continuations.interactRef(asked.grantId);
const problemOf = async (outcome: ReturnType<typeof continueWith>) => {
  const { ok, ...rest } = await outcome;
  return 'error' in rest ? rest.error : ok;
};

test('a clock that was ahead keeps no client waiting', async () => {
  clock.jump(2 * 3_600_000);
  const asked = await ask(access, { interact: { finish: undefined } });
  clock.advance(5_000);
  expect(await continueWith(asked)).toMatchObject({ ok: true, value: { kind: 'waiting' } });
  clock.jump(-2 * 3_600_000);
  clock.advance(5_000);
  expect(await continueWith(asked)).toMatchObject({ ok: true, value: { kind: 'waiting', wait: 5 } });
  expect(await problemOf(continueWith(asked))).toBe('too_fast');
});

describe('after the interaction', () => {
  test('the node accepts the reference at once and only once, and gives exactly what was granted', async () => {
    const asked = await approved(access);
    const first = await continueWith(asked, refOf(asked));
    expect(first).toMatchObject({ ok: true, value: { kind: 'issued', token: { expiresIn: 600, access: payingAccess() } } });
    clock.advance(10_000);
    expect(await problemOf(continueWith(asked, refOf(asked)))).toBe('not_approved');
  });

  test('the client can fetch a lost answer again for ten seconds, unless it has used the token', async () => {
    const asked = await approved(access);
    const first = await continueWith(asked, refOf(asked));
    clock.advance(9_999);
    const again = await continueWith(asked, refOf(asked));
    expect(again).toEqual({ ok: true, value: { ...(first.ok && first.value), token: { ...tokenIn(first), expiresIn: 590 } } });
    clock.advance(1);
    expect(await problemOf(continueWith(asked, refOf(asked)))).toBe('not_approved');
  });

  test('the reference never gives the token that a rotation has made', async () => {
    const { grant, token, ...asked } = await issued(access);
    const managed = await access.tokens.findManaged(token.id, token.value);
    if (managed === undefined) throw new Error('no token');
    expect((await access.tokens.rotate(managed)).ok).toBe(true);
    expect(await problemOf(continueWith(asked, refOf(asked)))).toBe('not_approved');
    expect(grant.id).toBe(asked.grantId);
  });

  test('a wrong reference is refused in every state', async () => {
    const other = refOf(await approved(access));
    const asked = await ask(access);
    const attempt = async () => await problemOf(continueWith(asked, other));
    expect(await attempt()).toBe('not_found');
    expect(await problemOf(continueWith(asked, refOf(asked)))).toBe('not_approved');
    const code = await open(access, asked);
    const shown = await access.views.getApproval(asked.grantId);
    await access.approvals.approve({ id: asked.grantId, code, shownHash: shown?.shownHash ?? '' });
    expect(await attempt()).toBe('not_found');
    for (const wrong of ['', refOf(asked).slice(1), `${refOf(asked)}A`]) {
      expect(await problemOf(continueWith(asked, wrong))).toBe('not_found');
    }
    expect(await problemOf(continueWith(asked, refOf(asked)))).toBe(true);
  });

  test('a denied or cancelled request is answered as if it did not exist', async () => {
    const denied = await ask(access);
    await access.approvals.deny(denied.grantId);
    expect(await problemOf(continueWith(denied, refOf(denied)))).toBe('not_found');
    const cancelled = await approved(access);
    await access.continuations.cancel(cancelled.grantId);
    expect(await problemOf(continueWith(cancelled, refOf(cancelled)))).toBe('not_found');
  });

  test('the same reference sent twenty times at once gives one token', async () => {
    const asked = await approved(access);
    const answers = await Promise.all(Array.from({ length: 20 }, () => continueWith(asked, refOf(asked))));
    const values = new Set(answers.map((answer) => (answer.ok && answer.value.kind === 'issued' ? answer.value.token?.value : undefined)));
    expect(values.size).toBe(1);
    expect(values.has(undefined)).toBe(false);
  });
});

describe('polling', () => {
  const polling = { interact: { finish: undefined } };

  test('is refused when the client asked to be called back', async () => {
    expect(await problemOf(continueWith(await approved(access)))).toBe('polling_refused');
  });

  test('is answered with a wait, refused when it is too fast, and ends with the token', async () => {
    const asked = await ask(access, polling);
    expect(await problemOf(continueWith(asked))).toBe('too_fast');
    clock.advance(5_000);
    expect(await continueWith(asked)).toEqual({ ok: true, value: { kind: 'waiting', wait: 5 } });
    clock.advance(4_999);
    expect(await problemOf(continueWith(asked))).toBe('too_fast');
    const code = await open(access, asked);
    const shown = await access.views.getApproval(asked.grantId);
    await access.approvals.approve({ id: asked.grantId, code, shownHash: shown?.shownHash ?? '' });
    clock.advance(1);
    expect(await continueWith(asked)).toMatchObject({ ok: true, value: { kind: 'issued' } });
    expect(await continueWith(asked)).toMatchObject({ ok: true, value: { kind: 'issued' } });
    clock.advance(10_000);
    expect(await problemOf(continueWith(asked))).toBe('not_continuable');
  });

  test('is answered once in five seconds, however often the client polls', async () => {
    const asked = await ask(access, polling);
    clock.advance(5_000);
    const answers = await Promise.all(Array.from({ length: 100 }, () => problemOf(continueWith(asked))));
    expect(answers.filter((answer) => answer === true)).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'too_fast')).toHaveLength(99);
  });

  test('is answered more and more slowly, and ends with the request', async () => {
    const asked = await ask(access, polling);
    await open(access, asked);
    const waits: number[] = [];
    let wait = 5;
    for (;;) {
      clock.advance(wait * 1_000 - 1);
      const early = await problemOf(continueWith(asked));
      if (early === 'not_continuable') break;
      expect(early).toBe('too_fast');
      clock.advance(1);
      const answer = await continueWith(asked);
      if (!answer.ok || answer.value.kind !== 'waiting') break;
      wait = answer.value.wait;
      waits.push(wait);
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect([waits[0], waits.at(-1)]).toEqual([5, 29]);
    expect(waits.length).toBeLessThan(60);
    for (let time = 0; time < 10; time++) {
      clock.advance(3_600_000);
      expect(await problemOf(continueWith(asked))).toBe('not_continuable');
    }
  });

  test('writes nothing while it is too fast or has ended', async () => {
    const asked = await ask(access, polling);
    const { jobs } = access.database.stats;
    for (let time = 0; time < 100; time++) expect(await problemOf(continueWith(asked))).toBe('too_fast');
    clock.advance(86_400_000);
    for (let time = 0; time < 100; time++) expect(await problemOf(continueWith(asked))).toBe('not_continuable');
    expect(access.database.stats.jobs).toBe(jobs);
  });

  test('ends when the operator denies the request', async () => {
    const asked = await ask(access, polling);
    await access.approvals.deny(asked.grantId);
    clock.advance(5_000);
    expect(await problemOf(continueWith(asked))).toBe('not_continuable');
  });
});

test('a client that asks only for the proof of a wallet address gets no token', async () => {
  const asked = await approved(access, { access: [], subject: `${TEST_ORIGIN}/alice` });
  const answer = await continueWith(asked, refOf(asked));
  expect(answer).toEqual({ ok: true, value: { kind: 'issued', token: undefined, subject: `${TEST_ORIGIN}/alice` } });
  expect(await livingToken(access, asked.grantId)).toBeUndefined();
  clock.advance(9_999);
  expect(await continueWith(asked, refOf(asked))).toEqual(answer);
  clock.advance(1);
  expect(await problemOf(continueWith(asked, refOf(asked)))).toBe('not_approved');
});

test('only its own token opens a continuation', async () => {
  const [one, two] = [await ask(access), await ask(access)];
  expect(await access.continuations.find(one.continuation.id, two.continuation.token)).toBeUndefined();
  expect(await access.continuations.find(two.continuation.id, one.continuation.token)).toBeUndefined();
  expect(await access.continuations.find(one.continuation.id, '')).toBeUndefined();
  expect(await access.continuations.find('nothing', one.continuation.token)).toBeUndefined();
});

test('a grant that was given at once is unknown to a client that polls after it cancelled the grant', async () => {
  const answer = await access.grants.request(grantRequest({ access: [{ type: 'quote', actions: ['create'] }], interact: undefined }));
  if (!answer.ok || answer.value.kind !== 'issued') throw new Error('not issued');
  const { id, token } = answer.value.continuation;
  const poll = async () => {
    const grant = await access.continuations.find(id, token);
    if (grant === undefined) throw new Error('no grant');
    return [grant.id, await problemOf(access.continuations.continue(grant, undefined))] as const;
  };
  const [grantId, problem] = await poll();
  expect(problem).toBe('not_continuable');
  await access.continuations.cancel(grantId);
  expect((await poll())[1]).toBe('not_found');
});

test('cancelling a grant ends its token, and cancelling it again changes nothing', async () => {
  const { grant } = await issued(access);
  await access.continuations.cancel(grant.id);
  await access.continuations.cancel(grant.id);
  expect(await livingToken(access, grant.id)).toBeUndefined();
  expect((await access.views.getGrant(grant.id))?.state).toBe('revoked');
  const denied = await ask(access);
  await access.approvals.deny(denied.grantId);
  await access.continuations.cancel(denied.grantId);
  expect((await access.views.getGrant(denied.grantId))?.state).toBe('denied');
});

const tokenIn = (answer: Awaited<ReturnType<typeof continueWith>>) => {
  if (!answer.ok || answer.value.kind !== 'issued' || answer.value.token === undefined) throw new Error('no token');
  return answer.value.token;
};
