import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { consoleLink } from '../support/console-link.ts';
import { RunningNode } from '../support/running-node.ts';
import { openScene, type Scene } from './scene.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/images');
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** A picture: where it is taken, and what must be there first. */
interface Shot {
  name: string;
  path: string;
  heading: string | RegExp;
  /** Whether it is taken in the size of a phone, too. */
  phone?: true;
  before?: (page: Page) => Promise<void>;
}

const shotsOf = (scene: Scene): Shot[] => [
  { name: 'overview', path: '/', heading: 'Overview' },
  { name: 'get-paid', path: '/get-paid', heading: 'Get paid' },
  { name: 'request', path: `/get-paid/${scene.requestId}`, heading: /^Request for/ },
  { name: 'pay', path: '/pay', heading: /./ },
  { name: 'payments', path: '/payments', heading: 'Payments', phone: true },
  { name: 'payment', path: `/payments/${scene.paymentId}`, heading: /./, phone: true },
  { name: 'approvals', path: '/approvals', heading: 'Approvals', phone: true },
  {
    name: 'approval',
    path: `/approvals/${scene.approvalId}`,
    heading: /./,
    phone: true,
    before: async (page) => {
      await page.getByLabel('Code on the page').fill(scene.code);
      await page.getByRole('button', { name: 'Approve' }).and(page.locator(':enabled')).waitFor();
    },
  },
  { name: 'apps', path: '/apps', heading: 'Connected apps' },
  { name: 'app', path: `/apps/${scene.grantId}`, heading: /./ },
  { name: 'accounts', path: '/accounts', heading: 'Accounts' },
  { name: 'account', path: `/accounts/${scene.shopId}`, heading: 'The shop' },
  { name: 'peers', path: '/peers', heading: /./ },
  { name: 'rates', path: '/rates', heading: /./ },
  { name: 'health', path: '/health', heading: 'Health', before: tryReach },
  { name: 'health-log', path: '/health/log', heading: 'Log' },
  { name: 'activity', path: '/activity', heading: 'Activity' },
  { name: 'settings', path: '/settings', heading: 'Settings' },
  { name: 'account-new', path: '/accounts/new', heading: 'New account' },
];

/** So that its steps are in the picture. */
const tryReach = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
};

/** Takes the pictures of the documentation: the real console over a real node, in both themes. */
export async function takeScreenshots(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch(await ensureBrowser());
  try {
    await takeFirstRun(browser);
    const scene = await openScene();
    try {
      for (const theme of THEMES) {
        await takeAll(browser, scene, theme, DESK, shotsOf(scene), '');
        const onPhones = shotsOf(scene).filter(({ phone }) => phone);
        await takeAll(browser, scene, theme, PHONE, onPhones, '-phone');
        await takePublicPages(browser, scene, theme);
      }
    } finally {
      await scene.close();
    }
  } finally {
    await browser.close();
  }
}

/** Where a first run begins. */
async function takeFirstRun(browser: Browser): Promise<void> {
  const node = await RunningNode.start();
  try {
    for (const theme of THEMES) {
      const context = await openContext(browser, theme, DESK);
      const page = await context.newPage();
      await page.goto(await consoleLink(node));
      await page.getByRole('heading', { level: 1, name: 'Welcome to paydesk' }).waitFor();
      await settled(page);
      await picture(page, `welcome-${theme}`);
      await context.close();
    }
  } finally {
    await node.stop();
  }
}

async function takeAll(browser: Browser, { node }: Scene, theme: Theme, size: typeof DESK, shots: readonly Shot[], suffix: string) {
  const context = await openContext(browser, theme, size);
  const page = await context.newPage();
  await page.goto(await consoleLink(node));
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const { name, path, heading, before } of shots) {
    await page.goto(`${node.consoleUrl}${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await settled(page);
    await before?.(page);
    await picture(page, `${name}${suffix}-${theme}`);
  }
  await context.close();
}

/** What payers see on their phones. */
async function takePublicPages(browser: Browser, { requestUrl, paidUrl, shopUrl }: Scene, theme: Theme): Promise<void> {
  const context = await openContext(browser, theme, PHONE);
  const page = await context.newPage();
  for (const [name, url] of [
    ['checkout', requestUrl],
    ['checkout-paid', paidUrl],
    ['wallet-address', shopUrl],
  ] as const) {
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await picture(page, `${name}-phone-${theme}`);
  }
  await page.goto(requestUrl);
  await page.getByLabel('Your wallet address').fill('http://127.0.0.1:9/nobody');
  await page.getByRole('button', { name: 'Pay from this wallet' }).click();
  await page.getByRole('alert').waitFor();
  await picture(page, `checkout-problem-phone-${theme}`);
  await context.close();
}

const openContext = (browser: Browser, colorScheme: Theme, viewport: typeof DESK): Promise<BrowserContext> =>
  browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' });

/** Nothing is still to come. */
const settled = (page: Page) => page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') === null);

async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
}
