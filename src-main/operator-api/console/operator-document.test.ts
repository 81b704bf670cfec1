import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorKeys } from '../../access/client-keys/operator-keys.ts';
import { ask } from '../testing/ask.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import type { RunningConsole } from './console-server.ts';

interface Operation {
  operationId: string;
  summary?: string;
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> };
}
interface Described {
  readonly route: string;
  readonly operation: Operation;
}

let desk: Desk;
let running: RunningConsole;
let operations: Described[];
let text: string;

const call = (method: string, path: string, body?: unknown) =>
  ask(running.url, method, path, { authorization: `Bearer ${desk.token()}` }, body);

beforeEach(async () => {
  desk = openDesk();
  running = await desk.startConsole();
  text = (await call('GET', '/operator/openapi.json')).body;
  const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(text);
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
  );
});
afterEach(async () => {
  await running.close();
  await desk.close();
});

/** Every object in the document that `matches`, with the path to it. */
function find(matches: (schema: Record<string, unknown>) => boolean): { at: string; schema: Record<string, unknown> }[] {
  const found: { at: string; schema: Record<string, unknown> }[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as Record<string, unknown>;
    if (matches(schema)) found.push({ at, schema });
    for (const [key, part] of Object.entries(schema)) walk(part, `${at}/${key}`);
  };
  walk(JSON.parse(text), '');
  return found;
}
/** What the document says of a member or a parameter, wherever it has it. */
const descriptionsOf = (member: string): unknown[] =>
  find((schema) => typeof schema.properties === 'object' || schema.name === member).flatMap(({ schema }) => {
    const own = schema.name === member ? schema.schema : Object.entries(schema.properties ?? {}).find(([name]) => name === member)?.[1];
    return own === undefined ? [] : [(own as { description?: unknown }).description];
  });

describe('the document of the operator API', () => {
  it('says what each operation does', () => {
    expect(operations.length).toBeGreaterThan(80);
    expect(operations.filter(({ operation }) => !operation.summary?.endsWith('.')).map(({ route }) => route)).toEqual([]);
  });

  it('says the unit of each amount', () => {
    const numbers = find((schema) => schema['x-native-type'] === 'bigint');
    expect(numbers.length).toBeGreaterThan(40);
    const silent = numbers.filter(({ schema }) => !/smallest units|position of an event/.test(String(schema.description)));
    expect(silent.map(({ at }) => at)).toEqual([]);
  });

  it.each([
    ['requestId', /each intention/],
    ['jwk', /JSON text/],
    ['unlimitedForAccountNamed', /any amount/],
    ['subjects', /empty/],
    ['shownHash', /exactly what was shown/],
    ['minAmount', /whole units/],
  ])('says what %s means, wherever it is', (member, words) => {
    const told = descriptionsOf(member);
    expect(told.length).toBeGreaterThan(0);
    for (const description of told) expect(description).toMatch(words);
  });

  it('has examples that run', async () => {
    const made = new Map<string, unknown>();
    for (const { route, operation } of operations) {
      const example = operation.requestBody?.content['application/json']?.example;
      if (example !== undefined) made.set(route, example);
    }
    const run = async (route: string, id = '', with_ = {}) => {
      const [method = '', path = ''] = route.split(' ');
      const filled = path.replace('{id}', id).replace('{base}', 'USD').replace('{quote}', 'EUR');
      const answer = await call(method, `/operator/api${filled}`, { ...(made.get(route) as object), ...with_ });
      made.delete(route);
      expect([route, answer.status]).toEqual([route, expect.toBeOneOf([200, 201])]);
      return JSON.parse(answer.body);
    };
    const { id } = await run('POST /accounts');
    await run('POST /accounts/{id}/deposits', id);
    await run('POST /accounts/{id}/withdrawals', id);
    // The desk of these tests keeps no keys, so the one of the example goes to what keeps them in a node.
    const { jwk, label } = made.get('POST /accounts/{id}/keys') as { jwk: string; label: string };
    expect(
      await new OperatorKeys({ ...desk, nodeKey: () => ({ jwk: { kid: 'node' } }) }).add({ walletAddressId: id, jwk, label }),
    ).toMatchObject({ ok: true });
    made.delete('POST /accounts/{id}/keys');
    await run('POST /requests', '', { accountId: id, requestId: randomUUID() });
    await run('PUT /rates/{base}/{quote}');
    await run('POST /exchange-accounts/deposits');
    await run('POST /exchange-accounts/withdrawals');
    expect([...made.keys()]).toEqual([]);
  });
});
