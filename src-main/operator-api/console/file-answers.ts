import { ReadableStream } from 'node:stream/web';
import type { StandardHandlerOptions } from '@orpc/server/standard';
import { dayAt } from '../../../src-shared/calendar.ts';
import { ExportPart } from '../../../src-shared/operator-contract/payments/payments.ts';
import { StatementPart } from '../../../src-shared/operator-contract/shop/statements.ts';
import { bytesOf } from '../../../src-shared/statements/encoding.ts';
import { FILE_KINDS, STATEMENT_FORMATS } from '../../../src-shared/statements/statement.ts';
import { readShop } from '../../shop/shop.ts';
import type { OperatorContext } from '../context.ts';

/** What a part of an export is in the file, and how the file is named and sent. */
interface ExportedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytesOf: (part: unknown) => Uint8Array;
}

const table =
  (name: string) =>
  (_: URL, day: string): ExportedFile => ({
    name: `${name}-${day}.csv`,
    mediaType: 'text/csv; charset=utf-8; header=present',
    bytesOf: (part) => new TextEncoder().encode(ExportPart.parse(part).csv),
  });

/** The statement that was asked for. The operation has parsed what stands in its address. */
function statement({ searchParams }: URL): ExportedFile {
  const [from, to] = [searchParams.get('from'), searchParams.get('to')];
  const format = STATEMENT_FORMATS.find((one) => one === searchParams.get('format')) ?? 'csv';
  const { extension, mediaType } = FILE_KINDS[format];
  return {
    name: `statement-${from}-${to}.${extension}`,
    mediaType,
    bytesOf: (part) => bytesOf(StatementPart.parse(part).text, format),
  };
}

/** The report that was asked for. */
const report = ({ searchParams }: URL): ExportedFile => ({
  ...table('report')(new URL('http://localhost'), ''),
  name: `report-${searchParams.get('from')}-${searchParams.get('to')}.csv`,
});

/** The exports by their path in the API for scripts. */
const EXPORTS: ReadonlyMap<string, (url: URL, today: string) => ExportedFile> = new Map([
  ['/operator/api/payments/export', table('payments')],
  ['/operator/api/activity/export', table('activity')],
  ['/operator/api/statements/export', statement],
  ['/operator/api/reports/sales/export', report],
]);

type Interceptor = NonNullable<StandardHandlerOptions<OperatorContext>['interceptors']>[number];

/**
 * Runs around every operation that a script calls. It makes one file with a name of the parts of an export (RFC 6266),
 * so that `curl` saves a table or a statement. The file is written while it is read, and ends when the caller goes. An
 * error after its beginning breaks the connection, so that no part of a table looks like the whole.
 */
export const answerFile: Interceptor = async ({ request, context, next }) => {
  const answer = await next();
  const fileOf = EXPORTS.get(request.url.pathname);
  if (fileOf === undefined || !answer.matched) return answer;
  const { status, body } = answer.response;
  if (!isIterable(body)) return answer;
  const day = dayAt(context.clock.now(), (await readShop(context.database.read)).days);
  const file = fileOf(request.url, day);
  const headers = {
    'content-type': file.mediaType,
    'content-disposition': `attachment; filename="${file.name}"`,
    'cache-control': 'no-store',
  };
  return { matched: true, response: { status, headers, body: ReadableStream.from(piecesOf(body, file)) } };
};

const isIterable = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

async function* piecesOf(parts: AsyncIterable<unknown>, file: ExportedFile): AsyncGenerator<Uint8Array, void, void> {
  for await (const part of parts) yield file.bytesOf(part);
}
