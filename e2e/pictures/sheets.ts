import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { LANGUAGES } from '../../src-shared/words/catalogues/languages.ts';
import { Sections } from '../console/pages/sections.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { openScene, type Scene } from './scene.ts';
import { screens } from './shots.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/images/sheets');
const THEMES = ['light', 'dark'] as const;
const SIZES = { desk: { width: 1280, height: 800, shown: 440 }, phone: { width: 390, height: 844, shown: 150 } } as const;
/** The most of a screen that a picture shows, in pixels. Of a longer screen it shows the beginning. */
const LONGEST = 4_000;
const SCREENS_OF_A_SHEET = 4;
/** What a busy machine may take until something is on the screen, in milliseconds. */
const PATIENCE_MS = 180_000;

/** The pictures of one screen, as data URLs: light and dark, at a desk and on a phone. */
interface Row {
  name: string;
  pictures: { url: string; width: number }[];
}

/** Takes every screen in these languages, or in all. The sheets of a language replace its former ones. */
export async function takeSheets(wanted: readonly string[]): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch(await ensureBrowser());
  const scene = await openScene();
  try {
    for (const language of LANGUAGES.filter((tag) => wanted.length === 0 || wanted.includes(tag)))
      await writeSheets(browser, language, await rowsOf(browser, scene, language));
  } finally {
    await scene.close();
    await browser.close();
  }
}

async function rowsOf(browser: Browser, scene: Scene, language: string): Promise<Row[]> {
  const shown = screens(scene).map(({ name, path }) => ({ name, path, pictures: [] as Row['pictures'] }));
  for (const colorScheme of THEMES) {
    const context = await browser.newContext({ colorScheme, locale: language, timezoneId: 'UTC', reducedMotion: 'reduce' });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(await consoleLink(scene.node));
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const { path, pictures } of shown) {
      await page.setViewportSize(SIZES.desk);
      // The till is a frame of its own.
      if (path === '/till' || page.url().endsWith('/till')) await page.goto(`${scene.node.consoleUrl}${path}`);
      else await new Sections(page).show(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      for (const size of Object.values(SIZES)) pictures.push({ url: await taken(page, size), width: size.shown });
    }
    await context.close();
  }
  return shown;
}

async function taken(page: Page, { width, height }: { width: number; height: number }): Promise<string> {
  await page.setViewportSize({ width, height });
  await page.evaluate(() => document.fonts.ready);
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  // What stays at the edge of the window, stays at the edge of the picture.
  await page.setViewportSize({ width, height: Math.min(Math.max(whole, height), LONGEST) });
  const bytes = await page.screenshot({ type: 'jpeg', quality: 80, animations: 'disabled' });
  return `data:image/jpeg;base64,${bytes.toString('base64')}`;
}

async function writeSheets(browser: Browser, language: string, rows: readonly Row[]): Promise<void> {
  for (const former of readdirSync(FOLDER)) if (former.startsWith(`${language}-`)) rmSync(join(FOLDER, former));
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  for (let first = 0; first < rows.length; first += SCREENS_OF_A_SHEET) {
    await page.setContent(sheet(rows.slice(first, first + SCREENS_OF_A_SHEET)));
    const session = await page.context().newCDPSession(page);
    const { cssContentSize } = await session.send('Page.getLayoutMetrics');
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: 60,
      captureBeyondViewport: true,
      clip: { ...cssContentSize, scale: 1 },
    });
    writeFileSync(join(FOLDER, `${language}-${String(1 + first / SCREENS_OF_A_SHEET).padStart(2, '0')}.webp`), Buffer.from(data, 'base64'));
  }
  await page.close();
}

const sheet = (rows: readonly Row[]): string => `<!doctype html>
  <style>
    body { margin: 12px; background: #888; font: 14px sans-serif; color: #fff; }
    section { display: flex; gap: 10px; align-items: flex-start; margin: 4px 0 14px; }
    img { display: block; }
  </style>
  ${rows.map(({ name, pictures }) => `${name}<section>${pictures.map(({ url, width }) => `<img width="${width}" src="${url}">`).join('')}</section>`).join('')}`;
