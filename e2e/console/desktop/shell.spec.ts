import type { ElectronApplication, Page } from '@playwright/test';
import { type DesktopDesk, expect, test } from '../fixtures.ts';

const ELSEWHERE = [
  'javascript:document.title="taken"',
  'data:text/html,<title>taken</title>',
  'file:///etc/passwd',
  'paydesk-app://other/',
  'http://shop.example/',
  'https://shop.example/offer?id=1',
];
const HTTPS = 'https://shop.example/offer?id=1';

/** Records what the app would open in the system's browser, instead of opening it. Each question is answered yes. */
async function openedOutside(electron: ElectronApplication): Promise<() => Promise<string[]>> {
  const opened = await electron.evaluateHandle(({ dialog, shell }) => {
    const urls: string[] = [];
    const yes = { response: 1, checkboxChecked: false };
    dialog.showMessageBox = async () => yes;
    shell.openExternal = async (url: string) => {
      urls.push(url);
    };
    return urls;
  });
  return () => opened.evaluate((urls) => urls);
}

/** Records to which pages the window was asked to go, and whether the app prevented that. */
async function navigations({ electron, page }: DesktopDesk): Promise<() => Promise<{ url: string; prevented: boolean }[]>> {
  const window = await electron.browserWindow(page);
  const seen = await window.evaluateHandle(({ webContents }) => {
    const list: { url: string; prevented: boolean }[] = [];
    webContents.on('will-frame-navigate', (event: { url: string; defaultPrevented: boolean }) =>
      list.push({ url: event.url, prevented: event.defaultPrevented }),
    );
    return list;
  });
  return () => seen.evaluate((list) => list);
}

/**
 * Tries in the page whatever its policy must stop.
 * @returns a function that gives the directives that have stopped something so far.
 */
async function tryEverything(page: Page): Promise<() => Promise<string[]>> {
  const stopped = await page.evaluateHandle(() => {
    const directives = new Set<string>();
    document.addEventListener('securitypolicyviolation', (event) => directives.add(event.effectiveDirective));
    const add = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, content: Partial<HTMLElementTagNameMap[Tag]>) =>
      document.body.appendChild(Object.assign(document.createElement(tag), content));
    add('script', { textContent: 'document.title = "taken"' });
    add('script', { src: 'https://shop.example/x.js' });
    add('img', { src: 'https://shop.example/x.png' });
    add('style', { textContent: 'body { display: none }' });
    add('iframe', { src: 'https://shop.example/' });
    add('object', { data: 'https://shop.example/' });
    add('base', { href: 'https://shop.example/' });
    fetch('https://shop.example/').catch(() => undefined);
    add('form', { action: 'https://shop.example/', method: 'post' }).submit();
    return directives;
  });
  return () => stopped.evaluate((directives) => [...directives].sort());
}

test('renderer code reaches Node or disk: the page has no Node, no Electron, and a bridge that only says where it runs', async ({
  desktop: { page },
}) => {
  const found = await page.evaluate(() => ({
    globals: ['require', 'module', 'process', 'Buffer', 'global', 'ipcRenderer', 'electron'].filter((name) => name in window),
    bridge: Object.entries(Reflect.get(window, 'paydesk')),
    frozen: Object.isFrozen(Reflect.get(window, 'paydesk')),
  }));
  expect(found).toEqual({ globals: [], bridge: [['host', 'desktop']], frozen: true });
});

test('the page reaches the node by its port', async ({ desktop: { operator } }) => {
  expect(await operator.node.info()).toMatchObject({ host: 'desktop', development: true });
});

test('hostile navigation and pop-ups: pop-ups are denied; only https links open, in the system’s browser', async ({
  desktop: { electron, page },
}) => {
  const opened = await openedOutside(electron);
  const url = page.url();
  const results = await page.evaluate((urls) => urls.map((one) => window.open(one)), ELSEWHERE);
  expect(results).toEqual(ELSEWHERE.map(() => null));
  await expect.poll(opened).toEqual([HTTPS]);
  await page.evaluate((urls) => {
    for (const href of urls) {
      const link = Object.assign(document.createElement('a'), { href, target: '_blank' });
      document.body.append(link);
      link.click();
    }
  }, ELSEWHERE);
  await expect.poll(opened).toEqual([HTTPS, HTTPS]);
  expect(electron.windows()).toHaveLength(1);
  expect(page.url()).toBe(url);
});

test('hostile navigation and pop-ups: the window never leaves the console', async ({ desktop, problems }) => {
  const { page } = desktop;
  // The browser refuses some addresses without asking the app, and then logs the reason itself.
  problems.expect(/^Running the JavaScript URL violates/);
  problems.expect(/^Not allowed to navigate top frame to data URL/);
  problems.expect(/^Not allowed to load local resource: file:/);
  problems.expect(/^Not allowed to launch 'paydesk-app:/);
  const asked = await navigations(desktop);
  const url = page.url();
  for (const target of ELSEWHERE) {
    await page.evaluate((href) => {
      location.href = href;
    }, target);
    await page.evaluate((href) => {
      const link = Object.assign(document.createElement('a'), { href });
      document.body.append(link);
      link.click();
    }, target);
  }
  // The web addresses come last. When the app is asked about them, it has already decided about the others.
  await expect.poll(async () => (await asked()).filter((one) => one.url === HTTPS).length).toBeGreaterThanOrEqual(1);
  expect((await asked()).filter(({ prevented }) => !prevented)).toEqual([]);
  expect(page.url()).toBe(url);
  expect(await page.title()).not.toBe('taken');
});

test('file:// reads the disk: the app’s own scheme reaches nothing outside the build folder', async ({ desktop: { page }, problems }) => {
  problems.expect(/status of 404/);
  const start = page.url();
  const spellings = [
    '..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '..%5c..%5cpackage.json',
    'assets/..%2f..%2f..%2fpackage.json',
    '..%252f..%252fpackage.json',
    '/etc/passwd',
    'index.html%00',
  ];
  for (const spelling of spellings) {
    // A refused address leads to an error page, which has no response to read.
    const response = await page.goto(new URL('/', start).href + spelling).catch(() => null);
    const body = await response?.text().catch(() => '');
    expect(body ?? '', spelling).not.toMatch(/better-sqlite3|root:/);
  }
});

test('XSS becomes money movement: the policy stops inline scripts, foreign content, connections and forms', async ({
  desktop: { page },
  problems,
}) => {
  problems.expect(/violates the (following|document's) Content Security Policy/);
  const stopped = await tryEverything(page);
  await expect
    .poll(stopped)
    .toEqual(['base-uri', 'connect-src', 'form-action', 'frame-src', 'img-src', 'object-src', 'script-src-elem', 'style-src-elem']);
  expect(await page.evaluate(() => getComputedStyle(document.body).display)).not.toBe('none');
  expect(await page.title()).not.toBe('taken');
});
