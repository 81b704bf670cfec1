import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fillSearchTexts, needleOf, referenceNeedleOf, searchTextOf } from './search-text.ts';
import { incomingPayments } from './tables.ts';
import { openPayments, type Payments } from './testing/payments.ts';

const finds = (needle: string | undefined, metadata: Record<string, unknown>) =>
  needle !== undefined && searchTextOf(metadata).includes(needle);

describe('the searched text of a payment', () => {
  it.each([
    ['STRASSE', 'An der Strasse 5'],
    ['äpfel', 'ÄPFEL und Birnen'],
    ['ﬁne', 'a fine day'],
    ['two  books'.replace('  ', ' '), 'Two books'],
    [' books ', 'Two books'],
  ])('finds %j in %j', (typed, description) => {
    expect(finds(needleOf(typed), { description })).toBe(true);
  });

  it('finds references by their beginning alone', () => {
    const metadata = { description: 'INV-7', externalRef: 'INV-12' };
    expect(finds(referenceNeedleOf('inv-1'), metadata)).toBe(true);
    for (const typed of ['12', 'inv-7', 'nv-1']) expect(finds(referenceNeedleOf(typed), metadata)).toBe(false);
  });

  it('lets nobody write the marks between its parts', () => {
    expect(finds(referenceNeedleOf('evil'), { description: '\u0001evil', externalRef: 'x\u0001evil' })).toBe(false);
    expect(needleOf('\u0001')).toBeUndefined();
  });

  it('looks at text only, and not at all of a very long one', () => {
    expect(searchTextOf({ description: { text: 'hidden' }, externalRef: 7 })).not.toMatch(/hidden|7/);
    expect(searchTextOf({ description: 'x'.repeat(10_000) }).length).toBeLessThan(700);
  });
});

describe('payments of an older data folder', () => {
  let payments: Payments;
  beforeEach(() => {
    payments = openPayments();
  });
  afterEach(() => payments.close());

  it('get their searched text, however many there are, and only once', async () => {
    const { database, account } = payments;
    const { id: walletAddressId } = await account('shop', 0n);
    const row = { walletAddressId, received: 0n, completed: false, metadata: { description: 'Tea' }, createdAt: 1, updatedAt: 1 };
    await database.write(async (tx) => {
      for (let n = 0; n < 1_001; n += 1) await tx.insert(incomingPayments).values({ ...row, id: `old-${n}` });
    });
    await fillSearchTexts(database);
    const texts = await database.read.selectDistinct({ search: incomingPayments.search }).from(incomingPayments);
    expect(texts).toEqual([{ search: searchTextOf(row.metadata) }]);
    const write = vi.spyOn(database, 'write');
    await fillSearchTexts(database);
    expect(write).toHaveBeenCalledTimes(2);
  });
});
