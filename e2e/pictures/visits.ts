import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Sections } from '../console/pages/sections.ts';
import type { Say } from './say.ts';
import type { Shot, Stage } from './shots.ts';

export const THEMES = ['light', 'dark'] as const;
export const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
/** What a busy machine may take until something is on the screen, in milliseconds. */
const PATIENCE_MS = 60_000;

/** A browser of its own for the pictures. Nothing moves in it. */
export async function openContext(browser: Browser, locale: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: SIZES.desk, reducedMotion: 'reduce', locale, timezoneId: 'UTC' });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** Waits until nothing on the page is still loading. */
export async function whenLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).or(page.locator('main')).first().waitFor();
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') === null);
  await page.evaluate(() => document.fonts.ready);
  // A lazy image that is out of sight is never loaded.
  await page.evaluate(() =>
    Promise.all([...document.images].filter(({ loading, complete }) => complete || loading !== 'lazy').map((image) => image.decode())),
  );
}

/** Screens with a frame of their own. To get from one frame to another, the page is loaded anew. */
const FRAMES = ['till', 'welcome', 'restore', 'restored', 'receipts'];
const firstPart = (path: string): string => path.split(/[/?]/)[1] ?? '';
/** Whether a link of the console leads from one path to the other, to a screen of another route. */
const isNear = (before: string, path: string): boolean =>
  [before, path].every((one) => one.startsWith('/') && !FRAMES.includes(firstPart(one))) && firstPart(before) !== firstPart(path);

/** Goes through the screens of a stage in one page. */
export class Visits {
  readonly #page: Page;
  readonly #stage: Stage;
  readonly #say: Say;
  /** The path that the page shows as it came. It is empty when something was done there. */
  #before = '';

  private constructor(page: Page, stage: Stage, say: Say) {
    this.#page = page;
    this.#stage = stage;
    this.#say = say;
  }

  static async begin(page: Page, stage: Stage, say: Say): Promise<Visits> {
    await stage.enter(page);
    await page.locator('main').first().waitFor();
    return new Visits(page, stage, say);
  }

  /** Shows a screen, in the size of a desk. @returns the window with it. */
  async show({ path, before, name }: Shot): Promise<Page> {
    const page = this.#page;
    try {
      await page.setViewportSize(SIZES.desk);
      const to = typeof path === 'string' ? path : await path();
      if (isNear(this.#before, to)) await new Sections(page).show(to);
      else await page.goto(new URL(to, this.#stage.origin).href);
      await whenLoaded(page);
      const shown = (await before?.(page, this.#say)) ?? page;
      this.#before = before === undefined ? to : '';
      await whenLoaded(shown);
      return shown;
    } catch (error) {
      throw new Error(`the screen ${name} did not come: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
