import type { FastifyInstance, FastifySchemaCompiler, FastifyTypeProvider } from 'fastify';
import { z } from '../../../src-shared/zod.ts';
import { ApiProblem } from './problems.ts';
import { parseStrictJson } from './strict-json.ts';

/** Routes state their bodies, parameters, queries and answers as zod schemas. */
export interface ZodTypes extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown;
}

/** The answer names at most so many problems of one body. */
const MAX_TOLD = 3;

/** Why a value does not fit, in words such as `access_token.access.0.type: Invalid input`. */
function explain(error: z.ZodError): string {
  const told = error.issues.slice(0, MAX_TOLD).map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message));
  return `The request does not have the form this endpoint takes. ${told.join('; ')}`;
}

/** Parses and checks one part of a request. A parameter that does not fit names nothing, so the answer is 404. */
const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    const parsed = httpPart === 'body' ? parseBody(data) : data;
    if (parsed instanceof ApiProblem) return { error: parsed };
    const result = schema.safeParse(parsed);
    if (result.success) return { value: result.data };
    return {
      error: httpPart === 'params' ? new ApiProblem('not_found') : new ApiProblem('invalid_request', { words: explain(result.error) }),
    };
  };

/** Parses the bytes of a body, after the hooks have authenticated the client. Without a body the value is undefined. */
function parseBody(data: unknown): unknown {
  if (!Buffer.isBuffer(data)) return undefined;
  const json = parseStrictJson(data);
  return json.ok ? json.value : new ApiProblem('invalid_json', { words: json.error });
}

/** The JSON schema of an answer. Members that it does not name are not sent. */
function answerSchema(schema: unknown): unknown {
  if (!(schema instanceof z.ZodType)) return schema;
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return json;
}

/** Lets routes of this instance, and of plugins registered on it, use zod schemas. */
export function useZodSchemas(app: FastifyInstance): void {
  app.setValidatorCompiler(validatorCompiler);
  app.addHook('onRoute', (route) => {
    if (route.schema?.response === undefined) return;
    const answers = Object.entries(route.schema.response as Record<string, unknown>);
    route.schema = { ...route.schema, response: Object.fromEntries(answers.map(([status, schema]) => [status, answerSchema(schema)])) };
  });
}
