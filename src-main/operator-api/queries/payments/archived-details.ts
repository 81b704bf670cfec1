import type { ArchivedDetails } from '../../../../src-shared/operator-contract/payments/archived.ts';
import type { TimelineEntry } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { z } from '../../../../src-shared/zod.ts';
import { type ArchivedRow, beginningOf, rowOf } from '../../../payments/archive/archived-rows.ts';
import { findIncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { findOutgoingPayment } from '../../../payments/outgoing/outgoing-payment-rows.ts';
import { filesOf, monthOf } from '../../../platform/archive/archive.ts';
import type { OperatorContext } from '../../context.ts';
import { isOfPacket } from './payment-timeline.ts';

const Event = z.object({ position: z.coerce.bigint(), type: z.string(), body: z.record(z.string(), z.string()), at: z.number() });

/** What the archive has of one payment, in the order in which it was archived; undefined without such a payment. */
export async function archivedDetails(context: ArchiveContext, id: string): Promise<ArchivedDetails | undefined> {
  const { database, readArchive } = context;
  const payment = (await findIncomingPayment(database.read, id)) ?? (await findOutgoingPayment(database.read, id));
  if (payment === undefined) return undefined;
  const files = await filesOf(database.read, monthOf(payment.createdAt));
  const found = files.length === 0 ? [] : await readArchive(files, beginningOf(id));
  const rows = found.flatMap(({ lines }) => lines.map(rowOf));
  const problems = found.flatMap(({ id: file, state }) => (state === 'whole' ? [] : [{ file, state }]));
  return { timeline: timelineIn(rows), rows, problems };
}

type ArchiveContext = Pick<OperatorContext, 'database' | 'readArchive'>;

function timelineIn(rows: readonly ArchivedRow[]): TimelineEntry[] {
  const events = rows.filter(({ kind }) => kind === 'events').map(({ row }) => Event.parse(row));
  const timeline: TimelineEntry[] = [];
  for (const { position, type, body, at } of events.toSorted((a, b) => (a.position < b.position ? -1 : 1))) {
    const last = timeline.at(-1);
    if (last?.type === type && isOfPacket(type)) {
      Object.assign(last, { position, body, at: new Date(at), events: last.events + 1 });
    } else {
      timeline.push({ position, type, body, since: new Date(at), at: new Date(at), events: 1 });
    }
  }
  return timeline;
}
