import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contract, type OperationName } from '../../../src-shared/operator-contract/contract.ts';
import { FILE_KINDS } from '../../../src-shared/statements/statement.ts';
import { SUMMARIES } from '../operator-acts.ts';
import { OPERATION_EXAMPLES } from './operation-examples.ts';

/** How the schemas of the contract become JSON schemas. */
export const schemaConverters = [new ZodToJsonSchemaConverter()];

const INTRODUCTION = [
  'What the console does, for scripts.',
  'Amounts are decimal text in the smallest units of their currency; a request may also have them as whole numbers below 2^53.',
  'Times are RFC 3339 text.',
  'While the console is locked every operation but those of its lock is refused with 423 and the code LOCKED.',
].join(' ');

const EXPORTED = 'A table as RFC 4180 describes it, in UTF-8, with a first line of column names and a file name.';

const STATEMENT = 'A file in the chosen format, with a file name.';
const STATEMENT_TYPES = [...new Set(Object.values(FILE_KINDS).map(({ mediaType }) => mediaType.replace(/;.*/, '')))];

/**
 * Describes the operator's operations as OpenAPI 3.1, for scripts. The schemas, and what an operation does, come
 * from the contract.
 * @param version the version of paydesk.
 */
export async function describeOperations(version: string) {
  const document = await new OpenAPIGenerator({ schemaConverters }).generate(contract, {
    info: { title: 'paydesk operator API', version, description: INTRODUCTION },
    servers: [{ url: '/operator/api' }],
    components: { securitySchemes: { operatorToken: { type: 'http', scheme: 'bearer' } } },
    security: [{ operatorToken: [] }],
  });
  for (const operation of operationsOf(document)) {
    const name = operation.operationId as OperationName;
    operation.summary = SUMMARIES.get(name);
    const example = OPERATION_EXAMPLES[name];
    const body = operation.requestBody?.content['application/json'];
    if (body !== undefined && example !== undefined) body.example = example;
    // The generator knows an export as the stream that the console reads. A script gets a file.
    const answer = operation.responses['200'];
    if (name === 'payments.export' || name === 'activity.export')
      answer.content = { 'text/csv': { schema: { type: 'string', description: EXPORTED } } };
    if (name === 'statements.export')
      answer.content = Object.fromEntries(STATEMENT_TYPES.map((type) => [type, { schema: { type: 'string', description: STATEMENT } }]));
  }
  return document;
}

interface Operation {
  operationId: string;
  summary?: string | undefined;
  responses: Record<'200', { content?: Record<string, unknown> }>;
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** The generator gives each operation its dotted name as `operationId`. */
const operationsOf = ({ paths }: { paths?: unknown }): Operation[] =>
  Object.values(paths as Record<string, Record<string, Operation>>).flatMap((methods) => Object.values(methods));
