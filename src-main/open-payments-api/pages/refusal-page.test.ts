import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from '../../../src-shared/zod.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { ApiProblem, type Condition, PROBLEMS } from '../http/problems.ts';
import { createPublicServer, type PublicServer } from '../http/server.ts';
import { refusalPage } from './refusal-page.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const Asked = z.object({ condition: z.custom<Condition>(), seconds: z.coerce.number().optional() });

let app: PublicServer;
beforeEach(() => {
  app = createPublicServer({ urls: new PublicUrls('https://pay.example'), log: createLogger('silent'), refusalPage });
  const refuse = ({ query }: { query: unknown }): never => {
    const { condition, seconds } = Asked.parse(query);
    throw new ApiProblem(condition, seconds === undefined ? {} : { retryAfterSeconds: seconds });
  };
  app.get('/refuses', refuse);
  app.get('/watched', { config: { forWatchers: true } }, refuse);
  app.post('/form', { config: { takesForms: true } }, refuse);
  app.post('/things', refuse);
});
afterEach(() => app.close());

async function ask(url: string, { accept = BROWSER, language = 'en', method = 'GET' as 'GET' | 'POST', ...headers } = {}) {
  const {
    statusCode,
    headers: answered,
    body,
  } = await app.inject({ method, url, headers: { accept, 'accept-language': language, ...headers } });
  const [, heading = ''] = /<h1>(.*?)<\/h1>/.exec(body) ?? [];
  return { status: statusCode, headers: answered, body, heading };
}

describe('a person', () => {
  test('reads that a page has to wait, and the page loads again when the answer says so', async () => {
    const busy = await ask('/refuses?condition=busy');
    expect([busy.status, busy.headers['retry-after'], busy.heading, busy.headers.refresh]).toEqual([503, '2', 'One moment, please', '2']);
    expect(busy.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(busy.headers['cache-control']).toBe('no-store');
    const limited = await ask('/refuses?condition=rate_limited&seconds=17');
    expect([limited.status, limited.headers['retry-after'], limited.headers.refresh]).toEqual([429, '17', '17']);
    expect((await ask('/refuses?condition=unavailable')).headers.refresh).toBe('5');
  });

  test('reads it in the language of their browser', async () => {
    const { headers, heading, body } = await ask('/refuses?condition=busy', { language: 'ar' });
    expect([headers['content-language'], heading]).toEqual(['ar', 'لحظة من فضلك']);
    expect(body).toContain('dir="rtl"');
  });

  test.each<[Condition, string]>([
    ['busy', 'Please send this again'],
    ['unavailable', 'Please send this again'],
    ['invalid_request', 'This was not taken'],
    ['cross_site', 'This was not taken'],
    ['account_damaged', 'This was not taken'],
    ['internal', 'Something went wrong here'],
  ])('is told what became of a form, and the page does not load again without what they wrote: %s', async (condition, told) => {
    const { status, heading, headers, body } = await ask(`/form?condition=${condition}`, { method: 'POST', ...FORM_TYPE });
    expect([status, heading, headers.refresh]).toEqual([PROBLEMS[condition].status, told, undefined]);
    expect(body.includes('It is not certain whether')).toBe(condition === 'internal');
    expect(body.includes(String(headers['x-request-id']))).toBe(condition === 'internal');
  });

  test('gets each page in their own language, whoever has met it before', async () => {
    for (const [language, heading] of [
      ['de', 'Einen Moment bitte'],
      ['en', 'One moment, please'],
      ['de', 'Einen Moment bitte'],
    ])
      expect((await ask('/refuses?condition=busy', { language })).heading).toBe(heading);
  });

  test('gets the number of a request that failed, and no page that loads again', async () => {
    for (const condition of ['internal', 'account_damaged']) {
      const { headers, heading, body } = await ask(`/refuses?condition=${condition}`);
      expect([heading, headers.refresh]).toEqual(['Something went wrong here', undefined]);
      expect(body).toContain(`>${headers['x-request-id']}<`);
    }
  });

  test('reads that there is nothing at an address that no route serves', async () => {
    for (const url of ['/no/such/page', '/%']) {
      const { status, heading } = await ask(url);
      expect([status, heading]).toEqual([404, 'There is nothing here']);
    }
  });
});

describe('JSON goes', () => {
  const code = async (url: string, asking = {}): Promise<unknown> => JSON.parse((await ask(url, asking)).body).error.code;

  test('to a program that asks for it, or for anything', async () => {
    for (const accept of ['application/json', '*/*', 'application/json, text/html']) {
      expect(await code('/refuses?condition=busy', { accept })).toBe('busy');
    }
  });

  test('to a browser where only an app has asked', async () => {
    expect(await code('/refuses?condition=missing_authorization')).toBe('missing_authorization');
    expect(await code('/things?condition=busy', { method: 'POST' })).toBe('busy');
  });

  test('to a browser that watches the node', async () => {
    expect(await code('/watched?condition=unavailable')).toBe('unavailable');
  });
});
