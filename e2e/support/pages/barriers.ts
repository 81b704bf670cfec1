import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Tells in words what on a page keeps people with disabilities out. */
export async function barriers(page: Page): Promise<string[]> {
  // In this mode axe does not open a page of its own. A browser that was started without contexts could not open one.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${new URL(page.url()).pathname} ${id}: ${html}\n${failureSummary}`),
    );
}
