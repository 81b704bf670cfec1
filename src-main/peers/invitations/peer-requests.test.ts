import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOutboundHttp } from '../../platform/outbound-http/outbound-http.ts';
import { AcceptAnswer } from './messages.ts';
import { askNode } from './peer-requests.ts';

let asked: string[];
let origin: string;
let answer: { status: number; headers: Record<string, string>; body: string };
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.writeHead(answer.status, answer.headers).end(answer.body);
});
beforeEach(async () => {
  asked = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const JSON_TYPE = { 'content-type': 'application/json' };
const ask = async (url: string, development = true) => {
  const http = createOutboundHttp({ development });
  const outcome = await askNode(http, url, { body: { secret: 's' }, answer: AcceptAnswer, pool: 'strangers' });
  http.close();
  return outcome.ok ? outcome.value.outcome : outcome.error;
};

it('a message goes to no address inside the node’s network, whatever a code or an acceptance says', async () => {
  answer = { status: 200, headers: JSON_TYPE, body: '{"outcome":"accepted"}' };
  expect(await ask(`${origin}/ilp`, false)).toBe('scheme_not_allowed');
  for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]', 'localhost']) {
    expect(await ask(`https://${host}:${new URL(origin).port}/ilp`, false), host).toBe('address_not_allowed');
  }
  expect(asked).toEqual([]);
  expect(await ask(`${origin}/ilp`)).toBe('accepted');
});

it('a message follows no redirect', async () => {
  answer = { status: 307, headers: { location: `${origin}/elsewhere` }, body: '' };
  expect(await ask(`${origin}/ilp`)).toBe('redirected');
  expect(asked).toEqual(['/ilp']);
});

it('an answer that no node gives is told from one that refuses', async () => {
  for (const [status, headers, body, expected] of [
    [200, { 'content-type': 'text/html' }, '<h1>Welcome</h1>', 'not_json'],
    [200, JSON_TYPE, '{"outcome":"granted"}', 'garbage'],
    [404, JSON_TYPE, '{}', 'not_found'],
    [401, JSON_TYPE, '{}', 'refused'],
    [429, JSON_TYPE, '{}', 'too_many_requests'],
    [503, JSON_TYPE, '{}', 'too_many_requests'],
  ] as const) {
    answer = { status, headers: { ...headers }, body };
    expect(await ask(`${origin}/ilp`), String(status)).toBe(expected);
  }
});
