import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { together } from './together.ts';

it('tells what each part has told', async () => {
  expect(await together([1n, Promise.resolve('two'), undefined])).toEqual([1n, 'two', undefined]);
});

it('throws the error of the first part in their order, once all of them have ended', async () => {
  const ended: string[] = [];
  const part = async (name: string, ms: number, fails: boolean) => {
    await pause(ms);
    ended.push(name);
    if (fails) throw new Error(name);
  };
  const all = together([part('good', 30, false), part('slow', 20, true), part('fast', 0, true)]);
  await expect(all).rejects.toThrow('slow');
  expect(ended.toSorted()).toEqual(['fast', 'good', 'slow']);
});
