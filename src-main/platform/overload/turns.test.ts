import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('so many run at once, so many wait in their order, and those beyond are refused', async () => {
  const turns = new Turns({ atOnce: 2, waiting: 2 });
  const ends: (() => void)[] = [];
  const began: number[] = [];
  const all = [0, 1, 2, 3, 4].map((nth) =>
    turns.run(async () => {
      began.push(nth);
      await new Promise<void>((resolve) => ends.push(resolve));
      return nth;
    }),
  );
  expect(await all[4]).toEqual({ ok: false, error: 'busy' });
  expect(began).toEqual([0, 1]);
  ends[1]?.();
  expect(await all[1]).toEqual({ ok: true, value: 1 });
  await expect.poll(() => began).toEqual([0, 1, 2]);
  ends[0]?.();
  await expect.poll(() => began).toEqual([0, 1, 2, 3]);
  ends[2]?.();
  ends[3]?.();
  expect(await Promise.all(all.slice(0, 4))).toEqual([0, 1, 2, 3].map((value) => ({ ok: true, value })));
});

it('a turn ends although its work has failed, and only once', async () => {
  const turns = new Turns({ atOnce: 1, waiting: 0 });
  await expect(turns.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const turn = await turns.take();
  if (!turn.ok) throw new Error(turn.error);
  expect(await turns.take()).toEqual({ ok: false, error: 'busy' });
  turn.value();
  turn.value();
  expect((await turns.take()).ok).toBe(true);
  expect(await turns.take()).toEqual({ ok: false, error: 'busy' });
});
