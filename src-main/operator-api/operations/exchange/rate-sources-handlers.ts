import type { Said as SaidView, RateSource as SourceView } from '../../../../src-shared/operator-contract/exchange/rate-sources.ts';
import { placeOf, problemOf, type RateSource, waitAfter } from '../../../exchange/sources/rate-sources.ts';
import type { Said } from '../../../exchange/tables.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.rateSources;

export const rateSourcesHandlers = os.router({
  list: os.list.handler(async ({ context }) => (await context.rateSources.list()).map(toView)),
  test: os.test.handler(async ({ context, input }) => {
    const said = await context.rateSources.test(input.place);
    return said.ok ? { said: toSaid(said.value), problem: null } : { said: null, problem: said.error };
  }),
  add: os.add.handler(async ({ context, input: { requestId: id, ...source }, errors }) => {
    const added = await context.rateSources.add({ id, ...source });
    if (!added.ok) throw added.error === 'too_many' ? errors.TOO_MANY() : errors.SAME_CURRENCY();
    return toView(added.value);
  }),
  switch: os.switch.handler(async ({ context, input: { id, isOn }, errors }) => {
    const switched = await context.rateSources.switch(id, isOn);
    if (!switched.ok) throw errors.NOT_FOUND();
    return toView(switched.value);
  }),
  prefer: os.prefer.handler(async ({ context, input: { id }, errors }) => {
    const preferred = await context.rateSources.prefer(id);
    if (!preferred.ok) throw errors.NOT_FOUND();
    return toView(preferred.value);
  }),
  remove: os.remove.handler(async ({ context, input: { id }, errors }) => {
    const removed = await context.rateSources.remove(id);
    if (!removed.ok) throw errors.NOT_FOUND();
    return toView(removed.value);
  }),
  look: os.look.handler(async ({ context, input: { id }, errors }) => {
    const looked = await context.rateSources.look(id);
    if (!looked.ok) throw errors.NOT_FOUND();
    return toView(looked.value);
  }),
});

const toSaid = ({ base, rates, asOf, readAt }: Said): SaidView => ({
  base,
  rates: Object.entries(rates).map(([quote, rate]) => ({ quote, rate })),
  asOf: new Date(asOf),
  dated: asOf !== readAt,
});

function toView(source: RateSource): SourceView {
  const { id, name, everySeconds, isOn, said, lookedAt, failures } = source;
  return {
    ...{ id, name, everySeconds, isOn, failures, place: placeOf(source), problem: problemOf(source) },
    said: said && toSaid(said),
    lookedAt: lookedAt === null ? null : new Date(lookedAt),
    nextLookAt: isOn ? new Date((lookedAt ?? source.createdAt) + (lookedAt === null ? 0 : waitAfter(source))) : null,
  };
}
