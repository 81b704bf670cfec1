import { RATE_SOURCE_PROBLEMS } from '../../exchange/source-problems.ts';
import { owner, readers } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { AssetValue, Id, RequestId } from '../values.ts';

const Currency = AssetValue.shape.assetCode;
const Url = z.string().trim().min(1).max(2_000);
const Path = z.string().trim().min(1).max(200).describe('A place in a JSON document: `rates.USD`, `data[0].price`, `["EUR/USD"].last`.');

/**
 * The place from which rates are read. `ecb`: the daily file of the European Central Bank. `json`: one place in a JSON
 * document.
 */
export const SourcePlace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ecb'), url: Url }),
  z.object({
    kind: z.literal('json'),
    url: Url,
    base: Currency,
    quote: Currency,
    path: Path,
    /** The path to the moment of the rate; null when the document does not say it. */
    datePath: Path.nullable(),
  }),
]);
export type SourcePlace = z.infer<typeof SourcePlace>;

/** What a source says. */
const Said = z.object({
  /** One unit of `base` is worth so many units of each currency. */
  base: Currency,
  rates: z.array(z.object({ quote: Currency, rate: z.string() })),
  /** The moment from which the rates are. */
  asOf: z.date(),
  /** Whether the source itself names that moment. Otherwise it is the one at which the rates were read. */
  dated: z.boolean(),
});
export type Said = z.infer<typeof Said>;

/** A source with what it said last. Those in front are preferred. */
export const RateSource = z.object({
  id: Id,
  name: z.string(),
  place: SourcePlace,
  everySeconds: z.number().int(),
  isOn: z.boolean(),
  said: Said.nullable(),
  lookedAt: z.date().nullable(),
  /** The time when the node looks again; null while the source is switched off. */
  nextLookAt: z.date().nullable(),
  /** Why the last look brought nothing; null when it did, and before the first one. */
  problem: z.enum(RATE_SOURCE_PROBLEMS).nullable(),
  /** How many looks in a row brought nothing. */
  failures: z.number().int(),
});
export type RateSource = z.infer<typeof RateSource>;

const one = z.object({ id: Id });
const gone = { NOT_FOUND: { status: 404, message: texts.noSuchRateSource } };

export const rateSources = {
  list: reads(readers, 'The sources of rates with what each said last, the most preferred first.')
    .route({ method: 'GET', path: '/rate-sources' })
    .output(z.array(RateSource)),
  test: reads(owner, 'Asks a source what it says now. Nothing is stored.')
    .route({ method: 'POST', path: '/rate-sources/test' })
    .input(z.object({ place: SourcePlace }))
    .output(z.object({ said: Said.nullable(), problem: z.enum(RATE_SOURCE_PROBLEMS).nullable() })),
  add: does(owner, 'rates', 'rate_source.added', 'Adds a source as the least preferred one. It is read soon if it is switched on.')
    .route({ method: 'POST', path: '/rate-sources' })
    .input(
      z.object({
        requestId: RequestId,
        name: z.string().trim().min(1).max(100),
        place: SourcePlace,
        /** How often the node looks: every five minutes to once a day. */
        everySeconds: z.number().int().min(300).max(86_400),
        isOn: z.boolean(),
      }),
    )
    .errors({
      SAME_CURRENCY: { status: 400, message: texts.sameCurrency },
      TOO_MANY: { status: 409, message: texts.tooManyRateSources },
    })
    .output(RateSource),
  switch: does(owner, 'rates', 'rate_source.changed', 'Switches a source on or off.')
    .route({ method: 'PUT', path: '/rate-sources/{id}/switch' })
    .input(one.extend({ isOn: z.boolean() }))
    .errors(gone)
    .output(RateSource),
  prefer: does(owner, 'rates', 'rate_source.changed', 'Makes a source the most preferred one.')
    .route({ method: 'POST', path: '/rate-sources/{id}/prefer' })
    .input(one)
    .errors(gone)
    .output(RateSource),
  remove: does(owner, 'rates', 'rate_source.removed', 'Removes a source. A rate that it told counts until it is too old.')
    .route({ method: 'DELETE', path: '/rate-sources/{id}' })
    .input(one)
    .errors(gone)
    .output(RateSource),
  look: does(owner, 'rates', 'rate_source.looked', 'Reads a source now, and stores what it says.')
    .route({ method: 'POST', path: '/rate-sources/{id}/look' })
    .input(one)
    .errors(gone)
    .output(RateSource),
};
