import { readers } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { reads } from '../operation.ts';
import { Id } from '../values.ts';
import { TimelineEntry } from './payment-detail.ts';

/** A file of the archive that could not be read as it was written. */
const ArchiveProblem = z.object({
  file: z.string(),
  /** `missing`: somebody took it away. `damaged`: it was changed or cut. */
  state: z.enum(['missing', 'damaged']),
});

/** One row that was in the books before it went into the archive. */
const ArchivedRow = z.object({
  /** `events`: what happened. `sent`, `received`: packets to and from peers. */
  kind: z.enum(['events', 'sent', 'received']),
  /** The columns of the row. Amounts are text, times are milliseconds since the Unix epoch. */
  row: z.record(z.string(), z.unknown()),
});

export const ArchivedDetails = z.object({
  /** What happened, oldest first. Successive packets are one entry. */
  timeline: z.array(TimelineEntry),
  rows: z.array(ArchivedRow),
  /** Files in which more may have stood. */
  problems: z.array(ArchiveProblem),
  /** Where the next part begins; null after the last one. Only a payment of very many packets has several. */
  nextCursor: z.string().nullable(),
});
export type ArchivedDetails = z.infer<typeof ArchivedDetails>;

export const archived = {
  archived: reads(readers, 'What the archive has of a payment that ended long ago: its events, and its packets to and from peers.')
    .route({ method: 'GET', path: '/payments/{id}/archived' })
    .input(z.object({ id: Id, cursor: z.string().max(300).optional() }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchPayment } })
    .output(ArchivedDetails),
};
