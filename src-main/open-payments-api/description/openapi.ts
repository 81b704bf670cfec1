import { z } from '../../../src-shared/zod.ts';
import { type Condition, PROBLEMS } from '../http/problems.ts';
import type { RegisteredRoute } from '../http/registered-routes.ts';
import { ENDPOINTS, type Endpoint, EVERYWHERE, isEndpoint } from './endpoints.ts';

type Json = Record<string, unknown>;

/** The statuses whose answers carry further headers. */
const HEADERS: Record<number, string[]> = { 401: ['WWW-Authenticate'], 429: ['Retry-After'] };

const COMPONENTS = {
  schemas: {
    Error: {
      type: 'object',
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          required: ['code', 'description'],
          properties: {
            code: { type: 'string', description: 'What programs read; never changes.', pattern: '^[a-z]+(_[a-z]+)*$' },
            description: { type: 'string', description: 'What people read.' },
            details: { type: 'object' },
          },
        },
      },
    },
  },
  headers: {
    'X-Request-Id': {
      description: 'Names this answer in the log of the node.',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    },
    'WWW-Authenticate': {
      description: 'Where to ask for a grant: `GNAP as_uri=…`; for peers `Bearer`.',
      required: true,
      schema: { type: 'string' },
    },
    'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 1 } },
  },
  parameters: {
    'Signature-Input': {
      in: 'header',
      name: 'Signature-Input',
      required: true,
      description:
        'HTTP message signature (RFC 9421) over `@method`, `@target-uri`, `authorization` when there is one and `content-digest` when there is a body, with `keyid` and `created`.',
      schema: { type: 'string' },
    },
    Signature: { in: 'header', name: 'Signature', required: true, description: 'Ed25519.', schema: { type: 'string' } },
    'Content-Digest': {
      in: 'header',
      name: 'Content-Digest',
      required: true,
      description: 'sha-256 or sha-512 of the very bytes of the body (RFC 9530).',
      schema: { type: 'string' },
    },
  },
  securitySchemes: {
    gnap: { type: 'http', scheme: 'GNAP', description: 'An access or continuation token (RFC 9635), bound to the key that signs.' },
    peer: { type: 'http', scheme: 'bearer', description: 'What the operators of two nodes have agreed upon.' },
  },
};

/** Describes routes as an OpenAPI 3.1 document, with the same schemas that validate their requests. */
export function openApiDocument(routes: readonly RegisteredRoute[], { origin, version }: { origin: string; version: string }): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (!isEndpoint(route.endpoint)) continue;
    const [method = '', url = ''] = route.endpoint.split(' ');
    const path = url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(route, ENDPOINTS[route.endpoint]) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'paydesk: Open Payments',
      version,
      description: 'Incoming payments, outgoing payments and quotes of wallet addresses, and the grants that open them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    paths,
    components: COMPONENTS,
  };
}

function operation(route: RegisteredRoute, endpoint: Endpoint): Json {
  const isSigned = endpoint.caller === 'token' || endpoint.caller === 'client';
  const headers = isSigned ? ['Signature-Input', 'Signature', ...(route.body ? ['Content-Digest'] : [])] : [];
  return {
    summary: endpoint.summary,
    operationId: operationId(route.endpoint),
    security: SECURITY[endpoint.caller],
    parameters: [
      ...parametersIn('path', route),
      ...parametersIn('query', route),
      ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: { 'application/json': { schema: jsonSchema(route.body) } },
      },
    }),
    ...(endpoint.caller === 'peer' && route.body === undefined && { requestBody: { required: true, content: PACKET } }),
    responses: { [endpoint.success]: success(route, endpoint), ...refusals(endpoint) },
  };
}

/** An id such as `getIncomingPaymentsId`. */
const operationId = (endpoint: string): string =>
  endpoint
    .replace(/^[A-Z]+/, (method) => method.toLowerCase())
    .replace(/[^a-zA-Z]+(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/[^a-zA-Z]+$/, '');

const SECURITY: Record<Endpoint['caller'], Json[]> = {
  anyone: [],
  client: [],
  token: [{ gnap: [] }],
  'anyone or token': [{}, { gnap: [] }],
  peer: [{ peer: [] }],
};

function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  return json;
}

const Properties = z.object({ properties: z.record(z.string(), z.unknown()).default({}), required: z.array(z.string()).default([]) });

function parametersIn(place: 'path' | 'query', { endpoint, params, querystring }: RegisteredRoute): Json[] {
  const schema = place === 'path' ? params : querystring;
  const { properties, required } = Properties.parse(schema ? jsonSchema(schema) : {});
  const names = place === 'path' ? [...endpoint.matchAll(/:(\w+)/g)].map(([, name = '']) => name) : Object.keys(properties);
  return names.map((name) => ({
    in: place,
    name,
    required: place === 'path' || required.includes(name),
    schema: properties[name] ?? { type: 'string' },
  }));
}

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

/** An ILP packet (ILP RFC 27). */
const PACKET = { 'application/octet-stream': { schema: { description: 'One packet, as its bytes.' } } };

function success({ endpoint, answers, body }: RegisteredRoute, { summary, success: status, caller }: Endpoint): Json {
  const schema = answers.get(String(status));
  const html = /\/(interact|pay)\//.test(endpoint) && status === 200 && !schema;
  if (caller === 'peer' && body === undefined) return { description: `${summary}.`, headers: REQUEST_ID, content: PACKET };
  const content = schema ? { 'application/json': { schema: jsonSchema(schema) } } : html && { 'text/html': { schema: { type: 'string' } } };
  return { description: `${summary}.`, headers: REQUEST_ID, ...(content && { content }) };
}

/** One response for each status. It names the codes of that status. */
function refusals({ refusals: own }: Endpoint): Record<string, Json> {
  const byStatus = new Map<number, Condition[]>();
  for (const condition of [...own, ...EVERYWHERE]) {
    const { status } = PROBLEMS[condition];
    byStatus.set(status, [...(byStatus.get(status) ?? []), condition]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, conditions]) => [
      status,
      {
        description: conditions.map((condition) => `\`${PROBLEMS[condition].code}\`: ${PROBLEMS[condition].words}`).join('\n\n'),
        headers: {
          ...REQUEST_ID,
          ...Object.fromEntries((HEADERS[status] ?? []).map((name) => [name, { $ref: `#/components/headers/${name}` }])),
        },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}
