import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askOtherTabs, callHeaders, comeBack, comeBackWith, handOver, redeemLink, session, sessionLost } from './session.ts';

const answers = vi.fn<() => Promise<Response>>();
const kept = new Map<string, string>();
beforeEach(() => {
  vi.stubGlobal('fetch', answers);
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
});
afterEach(() => {
  answers.mockReset();
  vi.unstubAllGlobals();
});

/** How often {@link otherTab} was asked. */
let asked = 0;
/** A tab of the same browser that answers after some milliseconds. */
function otherTab(afterMs: number): BroadcastChannel {
  const tab = new BroadcastChannel('paydesk-session');
  asked = 0;
  tab.addEventListener('message', ({ data }) => {
    if (data !== 'asked') return;
    asked += 1;
    setTimeout(() => tab.postMessage('secret of another tab'), afterMs);
  });
  return tab;
}

const answered = (status: number) => answers.mockResolvedValueOnce(Response.json({ pageSecret: 'secret of the page' }, { status }));

it('the console keeps the way back until a node has answered, and goes it once', async () => {
  comeBackWith('secret');
  sessionLost();
  expect(session.get()).toBe('returning');
  answers.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(comeBack()).rejects.toThrow('Failed to fetch');
  sessionLost();
  expect(session.get()).toBe('returning');
  answered(201);
  expect(await comeBack()).toBe('open');
  expect(comeBack()).toBeUndefined();
  sessionLost();
  expect(session.get()).toBe('none');
  expect(answers).toHaveBeenCalledTimes(2);
});

it('the console sends the secret of the page with each call, and takes that of another tab', async () => {
  kept.clear();
  expect(callHeaders()).toEqual({ 'x-paydesk-console': '1', 'x-paydesk-session': '' });
  answered(201);
  await redeemLink('link');
  expect(callHeaders()).toMatchObject({ 'x-paydesk-session': 'secret of the page' });
  kept.clear();
  // This tab has it, and the tab that answers takes longer than a tab does that the browser cannot see.
  const other = otherTab(400);
  await askOtherTabs();
  other.close();
  expect(callHeaders()).toMatchObject({ 'x-paydesk-session': 'secret of another tab' });
});

it('the console asks no other tab once the person is signed out and none has the secret', async () => {
  answered(201);
  await redeemLink('link');
  answers.mockResolvedValueOnce(new Response(null, { status: 204 }));
  await handOver();
  const other = otherTab(0);
  await askOtherTabs();
  other.close();
  expect(callHeaders()).toMatchObject({ 'x-paydesk-session': '' });
});

it('the console goes on waiting for an answer when another new tab asks, too', async () => {
  kept.clear();
  answered(201);
  await redeemLink('link');
  kept.clear();
  const other = otherTab(100);
  const waiting = askOtherTabs();
  await vi.waitFor(() => expect(asked).toBe(1));
  other.postMessage('asked');
  await waiting;
  other.close();
  expect(callHeaders()).toMatchObject({ 'x-paydesk-session': 'secret of another tab' });
});

it('the console asks for a moment where the browser does not tell what other tabs have', async () => {
  vi.stubGlobal('navigator', {});
  kept.clear();
  const other = otherTab(0);
  await askOtherTabs();
  other.close();
  expect(callHeaders()).toMatchObject({ 'x-paydesk-session': 'secret of another tab' });
});

it('the console does not try a way back again that was refused, and leaves alone one that was told meanwhile', async () => {
  comeBackWith('old');
  answered(401);
  const refused = comeBack();
  comeBackWith('new');
  expect(await refused).toBe('linkRefused');
  answered(401);
  expect(await comeBack()).toBe('linkRefused');
  expect(comeBack()).toBeUndefined();
});
