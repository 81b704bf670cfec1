import Ajv2020 from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from '../../src-shared/zod.ts';
import { ENDPOINTS, EVERYWHERE, isEndpoint } from '../open-payments-api/description/endpoints.ts';
import { PROBLEMS } from '../open-payments-api/http/problems.ts';
import { version } from '../platform/version.ts';
import { ALICE, EVERYTHING, incomingPayment, outgoingPayment, pathOf, quote } from './testing/error-cases.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

/** The part of OpenAPI 3.1.0, §4.8, that the document uses. Anything else in the document is an error. */
const Reference = z.strictObject({ $ref: z.string().startsWith('#/components/') });
const Schema = z.looseObject({});
const Media = z.strictObject({ schema: Schema });
const Content = z.partialRecord(z.enum(['application/json', 'text/html', 'application/octet-stream']), Media);
const Header = z.strictObject({ description: z.string(), required: z.boolean(), schema: Schema });
const Parameter = z.strictObject({
  in: z.enum(['path', 'query', 'header']),
  name: z.string().min(1),
  required: z.boolean(),
  description: z.string().optional(),
  schema: Schema,
});
const Response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), Header.or(Reference)).optional(),
  content: Content.optional(),
});
const Operation = z.strictObject({
  summary: z.string().min(1),
  operationId: z.string().regex(/^[a-z][a-zA-Z]+$/),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(Parameter.or(Reference)),
  requestBody: z.strictObject({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), Response),
});
const Document = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.url() })).min(1),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'post', 'delete']), Operation)),
  components: z.strictObject({
    schemas: z.record(z.string(), Schema),
    headers: z.record(z.string(), Header),
    parameters: z.record(z.string(), Parameter),
    securitySchemes: z.record(z.string(), z.strictObject({ type: z.literal('http'), scheme: z.string(), description: z.string() })),
  }),
});
type Operation = z.infer<typeof Operation>;

let node: TestNode;
let raw: unknown;
let document: z.infer<typeof Document>;
beforeAll(async () => {
  node = await openTestNode();
  raw = (await node.app.inject('/openapi.json')).json();
  document = Document.parse(raw);
});
afterAll(() => node.close());

const operations = (): { name: string; path: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation ? [{ name: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`, path, operation }] : [],
    ),
  );

test('the node serves the description as JSON, from the origin that it describes', async () => {
  const answer = await node.app.inject('/openapi.json');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(document).toMatchObject({ info: { version }, servers: [{ url: ORIGIN }] });
});

test('the description covers every route, and no others', () => {
  expect(
    operations()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(node.app.registeredRoutes.map(({ endpoint }) => endpoint).sort());
});

test('the description has one id for each operation, and a parameter for each variable part of a path', () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of operations()) {
    const named = operation.parameters.flatMap((parameter) => ('in' in parameter && parameter.in === 'path' ? [parameter.name] : []));
    expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  }
});

test('the description refers only to components that it contains', () => {
  const references = [...JSON.stringify(raw).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)];
  expect(references.length).toBeGreaterThan(50);
  const components = z.record(z.string(), z.record(z.string(), z.unknown())).parse(document.components);
  for (const [, kind = '', name = ''] of references) expect(components[kind]).toHaveProperty(name);
});

test('the description has every refusal of every endpoint, with its code, words and headers', () => {
  for (const { name, operation } of operations()) {
    if (!isEndpoint(name)) throw new Error(name);
    const conditions = [...ENDPOINTS[name].refusals, ...EVERYWHERE];
    for (const { status, code, words } of conditions.map((condition) => PROBLEMS[condition])) {
      const response = operation.responses[status];
      expect(response?.description).toContain(`\`${code}\`: ${words}`);
      expect(Object.keys(response?.headers ?? {})).toContain('X-Request-Id');
      if (status === 401) expect(Object.keys(response?.headers ?? {})).toContain('WWW-Authenticate');
      if (status === 429) expect(Object.keys(response?.headers ?? {})).toContain('Retry-After');
    }
    const statuses = [ENDPOINTS[name].success, ...conditions.map((condition) => PROBLEMS[condition].status)];
    expect(Object.keys(operation.responses).sort()).toEqual([...new Set(statuses.map(String))].sort());
  }
});

const compile = (schema: object) =>
  new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true, uuid: true, uri: true } }).compile(schema);
const jsonSchemaOf = (operation: Operation, status: number) => operation.responses[status]?.content?.['application/json']?.schema;

test('every schema in the description is a JSON schema of 2020-12', () => {
  let count = 0;
  for (const { operation } of operations()) {
    const parameters = operation.parameters.flatMap((parameter) => ('schema' in parameter ? [parameter.schema] : []));
    const answers = Object.values(operation.responses).flatMap((response) =>
      Object.values(response.content ?? {}).map((media) => media?.schema),
    );
    const body = operation.requestBody?.content['application/json']?.schema;
    for (const schema of [...parameters, ...answers, body]) {
      if (schema === undefined || '$ref' in schema) continue;
      compile(schema);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(40);
});

test('the answers of the node and the bodies that it takes match the description', async () => {
  const token = await node.giveToken(EVERYTHING);
  const urls = { incoming: await incomingPayment(node), quote: await quote(node), outgoing: await outgoingPayment(node) };
  const list = `wallet-address=${encodeURIComponent(ALICE)}`;
  const calls: [string, string, boolean][] = [
    ['GET /incoming-payments/:id', pathOf(urls.incoming), true],
    ['GET /incoming-payments/:id', pathOf(urls.incoming), false],
    ['GET /incoming-payments', `/incoming-payments?${list}`, true],
    ['GET /quotes/:id', pathOf(urls.quote), true],
    ['GET /outgoing-payments/:id', pathOf(urls.outgoing), true],
    ['GET /outgoing-payments', `/outgoing-payments?${list}`, true],
    ['GET /outgoing-payment-grant', '/outgoing-payment-grant', true],
    ['GET /:name', '/alice', false],
    ['GET /:name/jwks.json', '/alice/jwks.json', false],
    ['GET /auth/discovery', '/auth/discovery', false],
    ['GET /healthz', '/healthz', false],
    ['GET /openapi.json', '/openapi.json', false],
  ];
  for (const [name, path, isSigned] of calls) {
    const operation = operations().find((one) => one.name === name)?.operation;
    const { status, body } = isSigned
      ? await node.call({ method: 'GET', path, token })
      : { status: 200, body: (await node.app.inject(path)).json() };
    const valid = compile((operation && jsonSchemaOf(operation, 200)) ?? { not: {} });
    expect([name, status, valid(body), valid.errors]).toEqual([name, 200, true, null]);
  }
  const create = operations().find(({ name }) => name === 'POST /outgoing-payments')?.operation.requestBody?.content['application/json']
    ?.schema;
  const valid = compile(create ?? { not: {} });
  expect(valid({ walletAddress: ALICE, quoteId: urls.quote })).toBe(true);
  expect(valid({ walletAddress: ALICE })).toBe(false);
});
