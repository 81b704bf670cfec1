import { afterEach, beforeEach, expect, it } from 'vitest';
import { ask } from '../testing/ask.ts';
import { type Desk, openDesk, PAGE } from '../testing/desk.ts';
import type { RunningConsole } from './console-server.ts';
import { fillPage } from './fill-page.ts';

let desk: Desk;
let running: RunningConsole;
beforeEach(async () => {
  desk = openDesk();
  running = await desk.startConsole();
});
afterEach(async () => {
  await running.close();
  await desk.close();
});

it('the page of the customer’s screen is sent without a session, and names no folder', async () => {
  const answer = await ask(running.url, 'GET', '/customer.html', { accept: 'text/html' });
  const nonce = /nonce" content="([A-Za-z0-9_-]{24})"/.exec(answer.body)?.[1] ?? '';
  expect(answer.body).toBe(fillPage(`<i>customer</i>${PAGE}`, { nonce, dataFolder: '' }));
  expect(answer.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  expect(answer.headers['cache-control']).toBe('no-store');
});
