import type { ArchivedDetails } from '../../../../src-shared/operator-contract/payments/archived.ts';
import type { TimelineEntry } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { z } from '../../../../src-shared/zod.ts';
import { type ArchivedRow, beginningOf, rowOf } from '../../../payments/archive/archived-rows.ts';
import { findIncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { findOutgoingPayment } from '../../../payments/outgoing/outgoing-payment-rows.ts';
import { filesOf, monthOf } from '../../../platform/archive/archive.ts';
import type { ArchivePlace } from '../../../platform/archive/archive-reader.ts';
import type { OperatorContext } from '../../context.ts';
import { isOfPacket } from './payment-timeline.ts';

const Event = z.object({ position: z.coerce.bigint(), type: z.string(), body: z.record(z.string(), z.string()), at: z.number() });

/** How many rows one part has, and up to 99 more: a payment that is paid each second has millions of them. */
const MOST_ROWS = 1_000;

/**
 * A part of what the archive has of one payment, in the order in which it was archived; undefined without such a
 * payment.
 * @param from where the part before has ended.
 */
export async function archivedDetails(context: ArchiveContext, id: string, from?: ArchivePlace): Promise<ArchivedDetails | undefined> {
  const { database, readArchive } = context;
  const payment = (await findIncomingPayment(database.read, id)) ?? (await findOutgoingPayment(database.read, id));
  if (payment === undefined) return undefined;
  const files = await filesOf(database.read, monthOf(payment.createdAt), monthOf(payment.updatedAt));
  const search = { beginning: beginningOf(id), from, most: MOST_ROWS };
  const found = files.length === 0 ? { files: [] } : await readArchive(files, search);
  const rows = found.files.flatMap(({ lines }) => lines.map(rowOf));
  const problems = found.files.flatMap(({ id: file, state }) => (state === 'whole' ? [] : [{ file, state }]));
  const nextCursor = found.next === undefined ? null : toArchiveCursor(found.next);
  return { timeline: timelineIn(rows), rows, problems, nextCursor };
}

type ArchiveContext = Pick<OperatorContext, 'database' | 'readArchive'>;

/** A place in the archive as text. Callers send it back without reading it. */
const toArchiveCursor = ({ file, bytes, hash }: ArchivePlace): string => Buffer.from(`${bytes}.${hash}.${file}`).toString('base64url');

/** @returns undefined when {@link archivedDetails} has not made the text. */
export function fromArchiveCursor(cursor: string): ArchivePlace | undefined {
  const [, bytes, hash, file] =
    /^(\d{1,15})\.([0-9a-f]{64}|)\.([\w-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (bytes === undefined || hash === undefined || file === undefined) return undefined;
  return { bytes: Number(bytes), hash, file };
}

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
