import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What a page does wrong that keeps people out, in words. */
export async function barriers(page: Page): Promise<string[]> {
  // In this mode axe opens no page of its own, which a browser started without contexts could not.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${new URL(page.url()).pathname} ${id}: ${html}\n${failureSummary}`),
    );
}
