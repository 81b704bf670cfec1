import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPayments, type Payments } from '../../../payments/testing/payments.ts';
import { archiveFiles } from '../../../platform/archive/tables.ts';
import { archivedDetails, fromArchiveCursor } from './archived-details.ts';

const PLACE = { file: '2026-01-0123456789ab', bytes: 4_096, hash: 'ab'.repeat(32) };

let node: Payments;
beforeEach(() => {
  node = openPayments();
});
afterEach(() => node.close());

it('a part of what is archived names the place of the next one, and only such a place is understood', async () => {
  const shop = await node.account('shop', 0n);
  const made = await node.incomingPayments.create({ walletAddress: shop, client: null });
  if (!made.ok) throw new Error(made.error);
  const file = { id: PLACE.file, month: '2026-01', key: '', bytes: 9_000, hash: '', rows: 1, closed: false };
  await node.database.write(async (tx) => void (await tx.insert(archiveFiles).values(file)));
  const context = { database: node.database, readArchive: async () => ({ files: [], next: PLACE }) };
  const part = await archivedDetails(context, made.value.id);
  expect(fromArchiveCursor(part?.nextCursor ?? '')).toEqual(PLACE);
  const text = (place: string) => Buffer.from(place).toString('base64url');
  for (const other of ['', 'nonsense', text('1.xyz.file'), text('-1..file'), text('1..'), text('1../etc/passwd')])
    expect(fromArchiveCursor(other)).toBeUndefined();
});
