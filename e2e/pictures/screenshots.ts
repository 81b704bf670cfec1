import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { createAccount } from '../support/clients/flows.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { losePayment, meetSilent } from './neighbours.ts';
import { takeRestoring } from './restoring.ts';
import { openScene, type Scene } from './scene.ts';
import { dialogs, empties, type Shot, screens, silence, trouble } from './shots.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/images');
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Takes the pictures of the documentation: the real console over a real node, in both themes. */
export async function takeScreenshots(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch(await ensureBrowser());
  try {
    await takeFirstRun(browser);
    await takeRestoring(async (theme) => await (await openContext(browser, theme, DESK)).newPage(), picture);
    const scene = await openScene();
    try {
      for (const theme of THEMES) {
        await takeAll(browser, scene.node, theme, DESK, [...screens(scene), ...dialogs(scene)], '');
        const onPhones = screens(scene).filter(({ phone }) => phone);
        await takeAll(browser, scene.node, theme, PHONE, onPhones, '-phone');
        await takePublicPages(browser, scene, theme);
      }
      const lost = losePayment(scene.node);
      for (const theme of THEMES) await takeAll(browser, scene.node, theme, DESK, trouble(lost), '');
      await takeSilence(browser, scene.node);
      await takeLocked(browser, scene.node);
    } finally {
      await scene.close();
    }
  } finally {
    await browser.close();
  }
}

/** Takes the first run: how it begins, and what there is after its one step. */
async function takeFirstRun(browser: Browser): Promise<void> {
  const node = await RunningNode.start();
  try {
    for (const theme of THEMES) {
      const context = await openContext(browser, theme, DESK);
      const page = await context.newPage();
      await page.goto(await consoleLink(node));
      await page.getByRole('heading', { level: 1, name: 'Welcome to paydesk' }).waitFor();
      await whenLoaded(page);
      await picture(page, `welcome-${theme}`);
      await context.close();
    }
    await createAccount(node, 'shop', 0n);
    for (const theme of THEMES) await takeAll(browser, node, theme, DESK, empties, '');
  } finally {
    await node.stop();
  }
}

/** What the console shows of money that a peer has not answered for, before the node finds out. */
async function takeSilence(browser: Browser, node: RunningNode): Promise<void> {
  const { peerId, close } = await meetSilent(node);
  try {
    for (const theme of THEMES) {
      await takeAll(browser, node, theme, DESK, silence(peerId), '');
      await takeAll(browser, node, theme, PHONE, silence(peerId), '-phone');
    }
  } finally {
    await close();
  }
}

/** The lock screen. */
async function takeLocked(browser: Browser, node: RunningNode): Promise<void> {
  const passphrase = 'seven plain words make a long one';
  await node.operator.lock.protect({ passphrase, settings: { idleMinutes: null, atStart: true } });
  for (const theme of THEMES) {
    const context = await openContext(browser, theme, DESK);
    const page = await context.newPage();
    await page.goto(await consoleLink(node));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await node.operator.lock.now();
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    await picture(page, `locked-${theme}`);
    await context.close();
    await node.operator.lock.open({ passphrase });
  }
}

async function takeAll(browser: Browser, node: RunningNode, theme: Theme, size: typeof DESK, shots: readonly Shot[], suffix: string) {
  const context = await openContext(browser, theme, size);
  const page = await context.newPage();
  await page.goto(await consoleLink(node));
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const { name, path, heading, before } of shots) {
    await page.goto(`${node.consoleUrl}${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await whenLoaded(page);
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

/** What a busy machine may take until something is on the screen, in milliseconds. */
const PATIENCE_MS = 180_000;

async function openContext(browser: Browser, colorScheme: Theme, viewport: typeof DESK): Promise<BrowserContext> {
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** Waits until nothing on the page is still loading. */
const whenLoaded = (page: Page) =>
  page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') === null);

async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  // A lazy image that is out of sight is never loaded.
  await page.evaluate(() =>
    Promise.all([...document.images].filter(({ loading, complete }) => complete || loading !== 'lazy').map((image) => image.decode())),
  );
  await whenLoaded(page);
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
}
