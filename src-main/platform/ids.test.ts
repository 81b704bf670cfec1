import { expect, it } from 'vitest';
import { isId, newId } from './ids.ts';

it('the node makes UUIDs that differ, and that sort by the millisecond in which they were made', async () => {
  const before = newId();
  const made = Array.from({ length: 1_000 }, newId);
  const from = Date.now();
  while (Date.now() === from) await new Promise(setImmediate);
  const after = newId();
  for (const id of [before, after, ...made]) {
    expect(isId(id)).toBe(true);
    expect(id).toMatch(/^.{14}7.{4}[89ab]/);
  }
  expect(new Set(made).size).toBe(1_000);
  expect(made.every((id) => before.slice(0, 13) <= id.slice(0, 13) && id < after)).toBe(true);
});
