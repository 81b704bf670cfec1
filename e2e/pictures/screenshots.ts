import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { sayInLanguage } from './say.ts';
import type { Shot, Stage } from './shots.ts';
import { stages } from './stages.ts';
import { openContext, SIZES, THEMES, Visits, whenLoaded } from './visits.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/images');

/** Takes the pictures of the documentation: the real console over a real node, in both themes. */
export async function takeScreenshots(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch(await ensureBrowser());
  try {
    for await (const stage of stages()) await takeStage(browser, stage);
  } finally {
    await browser.close();
  }
}

const sizesOf = ({ docs }: Shot): (keyof typeof SIZES)[] => {
  if (docs === 'none') return [];
  if (docs === 'phone') return ['phone'];
  return docs === 'both' ? ['desk', 'phone'] : ['desk'];
};

async function takeStage(browser: Browser, stage: Stage): Promise<void> {
  const shots = stage.shots.filter((shot) => sizesOf(shot).length > 0);
  if (shots.length === 0) return;
  const context = await openContext(browser, 'en-GB');
  const page = await context.newPage();
  const visits = await Visits.begin(page, stage, await sayInLanguage('en'));
  for (const shot of shots) {
    const shown = await visits.show(shot);
    for (const size of sizesOf(shot)) {
      await shown.setViewportSize(SIZES[size]);
      await whenLoaded(shown);
      for (const theme of THEMES) {
        await shown.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        const path = `${FOLDER}/${shot.name}${size === 'phone' ? '-phone' : ''}-${theme}.png`;
        await shown.screenshot({ path, animations: 'disabled' });
      }
    }
  }
  await context.close();
}
