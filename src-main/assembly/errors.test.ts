import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENDPOINTS, type EndpointName, EVERYWHERE, isEndpoint } from '../open-payments-api/description/endpoints.ts';
import { type Condition, PROBLEMS } from '../open-payments-api/http/problems.ts';
import type { Case } from './testing/error-cases.ts';
import { AUTHORIZATION_CASES } from './testing/error-cases-authorization.ts';
import { RESOURCE_CASES } from './testing/error-cases-resources.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

const CASES: Record<EndpointName, Partial<Record<Condition, Case>>> = { ...AUTHORIZATION_CASES, ...RESOURCE_CASES };
const NAMES = Object.keys(ENDPOINTS).filter(isEndpoint);
const conditionsOf = (name: EndpointName): readonly Condition[] => ENDPOINTS[name].refusals;

let node: TestNode;
/** The refusals that the server itself reports, each with its endpoint. */
let refused: string[];
beforeEach(async () => {
  node = await openTestNode();
  refused = [];
  node.app.addHook('onSend', async ({ routeOptions, refusal }) => {
    if (refusal !== undefined) refused.push(`${routeOptions.method} ${routeOptions.url} ${refusal}`);
  });
});
afterEach(() => node.close());

/** What no body may contain: a stack trace, an SQL statement, a path, a token or a key. */
const LEAKS = /\bat \S+:\d+|node_modules|\.ts\b|select .* from|sqlite|\/(home|tmp|work|usr)\/|GNAP [\w-]|"stack"/i;

const provoked = new Set<string>();
afterAll(() => {
  const named = NAMES.flatMap((name) => conditionsOf(name).map((condition) => `${name} ${condition}`));
  console.log(`${provoked.size} of ${named.length} refusals of ${NAMES.length} endpoints provoked`);
});

describe.each(NAMES)('the endpoint %s', (name) => {
  test('has a case for each of its conditions, and no others', () => {
    expect(Object.keys(CASES[name]).sort()).toEqual([...conditionsOf(name)].sort());
  });

  for (const [condition, make] of Object.entries(CASES[name]) as [Condition, Case][]) {
    test(`answers ${condition}`, async () => {
      const request = await make(node);
      refused = [];
      const answer = await node.app.inject(request);
      const row = PROBLEMS[condition];
      provoked.add(`${name} ${condition}`);
      expect(refused).toEqual([`${name} ${condition}`]);
      expect([answer.statusCode, answer.json().error.code]).toEqual([row.status, row.code]);
      if (condition !== 'invalid_json') expect(answer.json().error.description).toContain(row.words.replace(/\.$/, ''));
      expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      const challenge = condition === 'invalid_peer_token' ? 'Bearer' : 'GNAP as_uri=https://pay.example/auth';
      expect(answer.headers['www-authenticate']).toBe(row.status === 401 ? challenge : undefined);
      expect(answer.headers['retry-after']).toEqual(row.status === 429 ? expect.stringMatching(/^[1-9]\d*$/) : undefined);
      expect(answer.body).not.toMatch(LEAKS);
    });
  }
});

test('every row of the table belongs to an endpoint, or to all', () => {
  const used = new Set<Condition>([...EVERYWHERE, ...NAMES.flatMap(conditionsOf)]);
  expect(Object.keys(PROBLEMS).filter((condition) => !used.has(condition as Condition))).toEqual([]);
});

test('the table names exactly the routes there are', async () => {
  await node.app.ready();
  const routes = node.app.registeredRoutes.map(({ endpoint }) => endpoint);
  expect(routes.sort()).toEqual([...NAMES].sort());
});
