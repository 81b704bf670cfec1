import { ReadableStream } from 'node:stream/web';
import type { StandardHandlerOptions } from '@orpc/server/standard';
import { dayAt } from '../../../src-shared/calendar.ts';
import { ExportPart } from '../../../src-shared/operator-contract/payments/payments.ts';
import { readShop } from '../../shop/shop.ts';
import type { OperatorContext } from '../context.ts';

/** The exports by their path in the API for scripts, and how the names of their files begin. */
const EXPORTS = new Map([
  ['/operator/api/payments/export', 'payments'],
  ['/operator/api/activity/export', 'activity'],
]);

type Interceptor = NonNullable<StandardHandlerOptions<OperatorContext>['interceptors']>[number];

/**
 * Runs around every operation that a script calls. It turns the parts of an export into one CSV file with a name
 * (RFC 4180, RFC 6266), so that `curl` saves a table. The file is written while it is read, and ends when the caller
 * goes. An error after its beginning breaks the connection, so that no part of a table looks like the whole.
 */
export const answerCsv: Interceptor = async ({ request, context, next }) => {
  const answer = await next();
  const name = EXPORTS.get(request.url.pathname);
  if (name === undefined || !answer.matched) return answer;
  const { status, body } = answer.response;
  if (!isIterable(body)) return answer;
  const day = dayAt(context.clock.now(), (await readShop(context.database.read)).days);
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}-${day}.csv"`,
    'cache-control': 'no-store',
  };
  return { matched: true, response: { status, headers, body: ReadableStream.from(bytesOf(body)) } };
};

const isIterable = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

async function* bytesOf(parts: AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void, void> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield encoder.encode(ExportPart.parse(part).csv);
}
