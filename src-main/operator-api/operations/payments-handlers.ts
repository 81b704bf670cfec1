import { badRequests } from '../../../src-shared/operator-contract/error-messages.ts';
import { languageOf } from '../../statements/statement-words.ts';
import { archivedDetails, fromArchiveCursor } from '../queries/payments/archived-details.ts';
import { paymentDetail } from '../queries/payments/payment-detail.ts';
import { summarisePayments } from '../queries/payments/payment-summary.ts';
import { exportPayments } from '../queries/payments/payments-export.ts';
import { listPayments } from '../queries/payments/payments-list.ts';
import { factsOf } from './activity-handlers.ts';
import { badRequest, placeOf } from './bad-requests.ts';
import { operations } from './guarded-operations.ts';
import { noteAct } from './note-act.ts';
import { payingHandlers } from './paying-handlers.ts';

const os = operations.payments;

export const paymentsHandlers = os.router({
  list: os.list.handler(({ context, input: { cursor, until, ...filter }, signal }) =>
    listPayments(context, { ...filter, from: placeOf(cursor), until: placeOf(until) }, signal),
  ),
  summary: os.summary.handler(({ context, input: { until, ...filter }, signal }) =>
    summarisePayments(context, { ...filter, until: placeOf(until) }, signal),
  ),
  export: os.export.handler(async ({ context, input: { format, language, ...filter }, signal }) => {
    await noteAct(context, 'payments.exported', factsOf(filter));
    return exportPayments(context, filter, { format, language: languageOf(language) }, signal);
  }),
  ...payingHandlers,
  get: os.get.handler(async ({ context, input, errors }) => {
    const payment = await paymentDetail(context, input.id);
    if (payment === undefined) throw errors.NOT_FOUND();
    return payment;
  }),
  archived: os.archived.handler(async ({ context, input, errors }) => {
    const from = input.cursor === undefined ? undefined : fromArchiveCursor(input.cursor);
    if (input.cursor !== undefined && from === undefined) throw badRequest(badRequests.noSuchCursor);
    const details = await archivedDetails(context, input.id, from);
    if (details === undefined) throw errors.NOT_FOUND();
    return details;
  }),
  resolve: os.resolve.handler(async ({ context, input, errors }) => {
    const resolved = await context.unknownPayments.resolve(input.id, input.outcome === 'part' ? { part: input.arrived } : input.outcome);
    if (!resolved.ok && resolved.error === 'not_found') throw errors.NOT_FOUND();
    if (!resolved.ok) throw resolved.error === 'not_a_part' ? errors.NOT_A_PART() : errors.NOT_UNKNOWN();
    const payment = await paymentDetail(context, input.id);
    if (payment === undefined) throw errors.NOT_FOUND();
    return payment;
  }),
  complete: os.complete.handler(async ({ context, input, errors }) => {
    const completed = await context.incomingPayments.complete(input.id, null);
    if (!completed.ok) throw completed.error === 'expired' ? errors.EXPIRED() : errors.NOT_FOUND();
    const payment = await paymentDetail(context, input.id);
    if (payment === undefined) throw errors.NOT_FOUND();
    return payment;
  }),
});
