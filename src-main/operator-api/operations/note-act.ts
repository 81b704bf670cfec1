import type { EventType } from '../../../src-shared/event-types.ts';
import { appendEvent } from '../../journal/events.ts';
import type { OperatorContext } from '../context.ts';

/** Records an act that changes nothing else in the database. */
export async function noteAct(
  { clock, database }: Pick<OperatorContext, 'clock' | 'database'>,
  type: EventType,
  body: Record<string, string>,
  subject = 'node',
): Promise<void> {
  const at = clock.now();
  await database.write((tx) => appendEvent(tx, { type, subject, body, at }));
}
