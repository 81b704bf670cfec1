import { z } from '../../../src-shared/zod.ts';

// A line of the archive is one row that was in the books, as JSON: of which kind, of which payment, and its columns.
// Amounts and positions, which do not fit a number, are text. The line begins with the payment, so that the lines of
// one payment are found without reading the others.

/** `events`, or packets that were `sent` to or `received` from peers. */
const KINDS = ['events', 'sent', 'received'] as const;
type Kind = (typeof KINDS)[number];

const Line = z.object({ payment: z.string(), kind: z.enum(KINDS), row: z.record(z.string(), z.unknown()) });
export type ArchivedRow = z.infer<typeof Line>;

/** What the lines of a payment begin with. */
export const beginningOf = (payment: string): string => `{"payment":${JSON.stringify(payment)},`;

/** What repeats a packet or opens its answer. Nobody does so any more, and its random bytes cannot be compressed. */
const LEFT_OUT = new Set(['sharedSecret', 'prepare', 'reply']);

/** Secrets never get into the archive: a packet whose outcome is known needs none, nor its bytes, nor its answer. */
export function lineOf(kind: Kind, payment: string, columns: Record<string, unknown>): string {
  const row = Object.fromEntries(Object.entries(columns).filter(([name]) => !LEFT_OUT.has(name)));
  return JSON.stringify({ payment, kind, row }, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

/** @throws Error when it is no line of the archive. */
export const rowOf = (line: string): ArchivedRow => Line.parse(JSON.parse(line));
