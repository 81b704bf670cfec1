import type { RateSourceProblem } from '../../../src-shared/exchange/source-problems.ts';
import type { Clock } from '../../platform/clock.ts';
import type { OutboundText } from '../../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { Said } from '../tables.ts';
import { readEcbFile } from './ecb-file.ts';
import { type JsonPlace, readJsonSource } from './json-source.ts';

/** The place from which rates are read. */
export type SourcePlace = { readonly kind: 'ecb'; readonly url: string } | ({ readonly kind: 'json'; readonly url: string } & JsonPlace);

/** The most by which the moment of a rate may be ahead of this node's clock. The rate then counts as being from now. */
const AHEAD_MS = 24 * 60 * 60_000;

interface Ways {
  readonly http: OutboundText;
  readonly clock: Pick<Clock, 'now'>;
}

/** Asks a source what it says now. Nothing is stored. It takes no longer than a request to another computer may. */
export async function readSource({ http, clock }: Ways, place: SourcePlace): Promise<Result<Said, RateSourceProblem>> {
  const accept = place.kind === 'ecb' ? 'application/xml, text/xml' : 'application/json';
  const answer = await http.getText(place.url, { accept, pool: 'money' });
  if (!answer.ok) return refuse(answer.error === 'not_json' ? 'not_readable' : answer.error);
  if (answer.value.status !== 200) return refuse('refused');
  const { text } = answer.value;
  const reading = place.kind === 'ecb' ? readEcbFile(text) : readJsonSource(text, place);
  if (!reading.ok) return reading;
  const readAt = clock.now();
  const { base, rates, asOf = readAt } = reading.value;
  if (asOf - readAt > AHEAD_MS) return refuse('from_future');
  return ok({ base, rates, asOf: Math.min(asOf, readAt), readAt });
}
