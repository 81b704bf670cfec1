import { randomUUID } from 'node:crypto';
import type { ElectronApplication } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { StandInSystem } from '../hosts/stand-in-system.ts';

// The test tries every way out of the page with every kind of address: 28 cases. The window never leaves its address.

const WAYS = ['click', 'IPC', 'redirect', '_blank'] as const;
const ADDRESSES = {
  http: 'http://shop.example/',
  https: 'https://shop.example/offer',
  javascript: 'javascript:document.title="taken"',
  file: 'file:///etc/passwd',
  app: 'paydesk-app://other/index.html',
  data: 'data:text/html,<title>taken</title>',
  attachment: 'mailto:?body=x&attach=/etc/passwd',
};

/** The addresses that the app has asked the system to open. */
const opened = (electron: ElectronApplication): Promise<string[]> =>
  electron.evaluate(() =>
    Reflect.get(globalThis, '__standin')
      .calls.filter(({ api }: { api: string }) => api === 'shell.openExternal')
      .map(({ args }: { args: string[] }) => args[0]),
  );

test('the navigation matrix: no way out of the page leads anywhere', async ({ desktop: { electron, page }, problems }) => {
  // The browser logs what it refuses itself on the page's console, in words that differ by the way out.
  problems.allow(/^(Running the JavaScript URL violates|Not allowed to (navigate top frame|load local resource|launch)|Failed to launch)/);
  const start = page.url();
  const system = await StandInSystem.of(electron);
  for (const way of WAYS) {
    for (const [kind, url] of Object.entries(ADDRESSES)) {
      if (way === 'redirect') {
        // The server redirects to another address. The window must not follow, by whatever way it got there.
        const prevented = await electron.evaluate(({ BrowserWindow }, to) => {
          const event = {
            url: to,
            isMainFrame: true,
            defaultPrevented: false,
            preventDefault: () => Reflect.set(event, 'defaultPrevented', true),
          };
          const contents = BrowserWindow.getAllWindows()[0]?.webContents;
          if (contents !== undefined) Reflect.apply(contents.emit, contents, ['will-redirect', event]);
          return event.defaultPrevented;
        }, url);
        expect(prevented, `${way} ${kind}`).toBe(true);
      } else {
        await page.evaluate(
          ({ way, url }) => {
            if (way === 'IPC') window.postMessage({ type: 'navigate', url }, '*');
            else {
              const link = Object.assign(document.createElement('a'), { href: url, target: way === '_blank' ? '_blank' : '_self' });
              document.body.append(link);
              link.click();
            }
          },
          { way, url },
        );
      }
      expect(page.url(), `${way} ${kind}`).toBe(start);
    }
    // The page still answers, so every attempt has been decided.
    expect(await page.title()).not.toBe('taken');
    expect(page.url()).toBe(start);
    expect(electron.windows()).toHaveLength(1);
    // Only the link to an https page may leave, and only after a question that names its host.
    await expect.poll(() => system.questions(), way).toEqual(way === '_blank' ? ['Open a page of shop.example?'] : []);
    expect(await opened(electron), way).toEqual([]);
  }
  await system.answer('Open it');
  await expect.poll(() => opened(electron)).toEqual([ADDRESSES.https]);
});

test('the reminder of a request opens a draft in the mail program, after a question', async ({ desktop: { electron, page, operator } }) => {
  const shop = { name: 'shop', publicName: 'The shop', assetCode: 'USD', assetScale: 2, openingBalance: 0n };
  const { id: accountId } = await operator.accounts.create({ requestId: randomUUID(), ...shop });
  const { id, link } = await operator.requests.create({ requestId: randomUUID(), accountId, amount: 1_250n, description: "Ann's books" });
  const system = await StandInSystem.of(electron);
  await page.goto(new URL(`/get-paid/${id}`, page.url()).href);
  const mail = page.getByRole('link', { name: 'Send by mail' });
  const asked = 'Open your mail program?';
  await mail.click();
  await expect.poll(() => system.questions()).toEqual([asked]);
  await system.answer('Stay here');
  await mail.click();
  await expect.poll(() => system.questions()).toEqual([asked, asked]);
  expect(await opened(electron)).toEqual([]);
  await system.answer('Open it');
  await expect.poll(() => opened(electron)).toHaveLength(1);
  const [draft = ''] = await opened(electron);
  const { protocol, pathname, searchParams } = new URL(draft);
  expect([protocol, pathname, ...searchParams.keys()]).toEqual(['mailto:', '', 'subject', 'body']);
  expect(draft).not.toContain("'");
  expect(searchParams.get('body')).toContain("Ann's books");
  expect(searchParams.get('body')).toContain(link);
});
