import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../clock.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { sharedSecrets } from './shared-secrets.ts';

const KEY = Buffer.alloc(32, 1);

let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(() => test.dispose());

const read = (key = KEY) => sharedSecrets({ database: test.database, clock: new ManualClock(0) }, key);

describe('the keys of a node in a shared database', () => {
  it('are made once, however many replicas start at the same moment', async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => read()));
    expect(others.every((one) => one.node === first?.node && one.stream === first.stream)).toBe(true);
    expect(await read()).toEqual(first);
  });

  it('are sealed', async () => {
    const { node, stream } = await read();
    const stored = await test.stored();
    expect(stored).not.toContain(node);
    expect(stored).not.toContain(stream);
  });

  it('are refused in words to whoever has another key, and stay as they are', async () => {
    const before = await read();
    await expect(read(Buffer.alloc(32, 2))).rejects.toThrow('does not open');
    expect(await read()).toEqual(before);
  });
});
