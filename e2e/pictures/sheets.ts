import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { LANGUAGES } from '../../src-shared/words/catalogues/languages.ts';
import { sayInLanguage } from './say.ts';
import type { Stage } from './shots.ts';
import { stages } from './stages.ts';
import { openContext, SIZES, THEMES, Visits, whenLoaded } from './visits.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/images/sheets');
/** How wide a picture is on the sheet. The light one is there to read, and the dark one to see its colours. */
const SHOWN = { light: { desk: 564, phone: 220 }, dark: { desk: 212, phone: 84 } } as const;
/** A picture that is higher than this on the sheet goes on beside itself, in pixels. */
const COLUMN = 970;
/** How high a sheet gets before another one begins, in pixels. */
const SHEET = 4_840;
/** More of a screen than this is no picture any more, in pixels. */
const LONGEST = 16_000;
const QUALITY = 26;

/** A picture of a screen as a file. */
interface Picture {
  file: string;
  width: number;
  height: number;
}

/** The pictures of one screen: light and dark, at a desk and on a phone. */
interface Row {
  name: string;
  pictures: Picture[];
}

/** The screens that did not come, and why. */
const missing: string[] = [];

/** Takes every screen in these languages, or in all. The sheets of a language replace its former ones. */
export async function takeSheets(wanted: readonly string[]): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-sheets-'));
  const browser = await chromium.launch(await ensureBrowser());
  const rows = new Map(LANGUAGES.filter((tag) => wanted.length === 0 || wanted.includes(tag)).map((tag) => [tag, [] as Row[]]));
  try {
    for await (const stage of stages())
      for (const [language, taken] of rows)
        taken.push(...(await rowsOf(browser, stage, language, join(folder, `${taken.length}-${language}`))));
    for (const [language, taken] of rows) await writeSheets(browser, language, taken, folder);
    if (missing.length > 0) throw new Error(missing.join('\n'));
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rowsOf(browser: Browser, stage: Stage, language: (typeof LANGUAGES)[number], files: string): Promise<Row[]> {
  const context = await openContext(browser, language);
  const page = await context.newPage();
  const visits = await Visits.begin(page, stage, await sayInLanguage(language));
  const rows: Row[] = [];
  for (const shot of stage.shots) {
    const shown = await visits.show(shot).catch((error: Error) => missing.push(`${language}: ${error.message}`));
    if (typeof shown === 'number') continue;
    rows.push({ name: shot.name, pictures: await picturesOf(shown, `${files}-${shot.name}`) });
    if (shown !== page) await shown.close();
  }
  await context.close();
  return rows;
}

async function picturesOf(page: Page, files: string): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const [name, size] of Object.entries(SIZES)) {
    const height = await unfold(page, size);
    for (const theme of THEMES) {
      const file = `${files}-${name}-${theme}.jpg`;
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.screenshot({ path: file, type: 'jpeg', quality: 85, animations: 'disabled' });
      const width = SHOWN[theme][name as keyof typeof SIZES];
      pictures.push({ file, width, height: Math.round((height * width) / size.width) });
    }
  }
  return pictures.sort((one, other) => other.width - one.width);
}

/**
 * Makes the window as high as what is in it: what stays at the edge of the window, stays at the edge of the picture.
 * @returns its height.
 */
async function unfold(page: Page, { width, height }: { width: number; height: number }): Promise<number> {
  await page.setViewportSize({ width, height });
  await whenLoaded(page);
  const whole = await page.evaluate(() => {
    const dialog = document.querySelector('.mantine-Modal-body');
    return dialog === null ? document.documentElement.scrollHeight : dialog.scrollHeight + 240;
  });
  const high = Math.min(Math.max(whole, height), LONGEST);
  await page.setViewportSize({ width, height: high });
  await whenLoaded(page);
  return high;
}

async function writeSheets(browser: Browser, language: string, rows: readonly Row[], folder: string): Promise<void> {
  for (const former of readdirSync(FOLDER)) if (former.startsWith(`${language}-`)) rmSync(join(FOLDER, former));
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  const source = join(folder, 'sheet.html');
  for (const [nth, part] of sheetsOf(rows).entries()) {
    writeFileSync(source, sheet(part));
    await page.goto(pathToFileURL(source).href);
    const session = await page.context().newCDPSession(page);
    const { cssContentSize } = await session.send('Page.getLayoutMetrics');
    const clip = { ...cssContentSize, scale: 1 };
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, captureBeyondViewport: true, clip });
    writeFileSync(join(FOLDER, `${language}-${String(1 + nth).padStart(2, '0')}.webp`), Buffer.from(data, 'base64'));
  }
  await page.close();
}

/** The rows of each sheet. */
function sheetsOf(rows: readonly Row[]): Row[][] {
  const sheets: Row[][] = [];
  let left = 0;
  for (const row of rows) {
    const height = Math.min(COLUMN, Math.max(...row.pictures.map((picture) => picture.height))) + 40;
    if (height > left || sheets.length === 0) {
      sheets.push([]);
      left = SHEET;
    }
    sheets.at(-1)?.push(row);
    left -= height;
  }
  return sheets;
}

const sheet = (rows: readonly Row[]): string => `<!doctype html>
  <style>
    body { margin: 12px; width: max-content; background: #888; font: 14px sans-serif; color: #fff; }
    section { display: flex; gap: 10px; align-items: flex-start; margin: 4px 0 14px; }
    i { display: block; background-repeat: no-repeat; }
  </style>
  ${rows.map(({ name, pictures }) => `${name}<section>${pictures.map(columns).join('')}</section>`).join('')}`;

/** A picture in as many columns as it needs. */
function columns({ file, width, height }: Picture): string {
  const parts = Array.from({ length: Math.ceil(height / COLUMN) }, (_, nth) => nth * COLUMN);
  const image = `width: ${width}px; background-size: ${width}px ${height}px; background-image: url(${pathToFileURL(file).href})`;
  return parts
    .map((top) => `<i style="${image}; height: ${Math.min(COLUMN, height - top)}px; background-position: 0 -${top}px"></i>`)
    .join('');
}
