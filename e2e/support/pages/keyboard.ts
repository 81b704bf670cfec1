import { expect, type Page } from '@playwright/test';

/** Presses Tab until an element like `wanted` has the focus, as a person without a mouse does. */
export async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  const focused = page.locator(':focus');
  await expect(async () => {
    await page.keyboard.press('Tab');
    const name = (await focused.getAttribute('aria-label', { timeout: 1_000 })) ?? (await focused.innerText({ timeout: 1_000 }));
    expect(name).toMatch(wanted);
  }).toPass({ intervals: [0], timeout: 120_000 });
}
