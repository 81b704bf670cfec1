import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Tells in words what on a page keeps people with disabilities out.
 * @param rules of axe that are asked; all, when none is named.
 */
export async function barriers(page: Page, rules: string[] = []): Promise<string[]> {
  // In this mode axe does not open a page of its own. A browser that was started without contexts could not open one.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (rules.length === 0 ? axe : axe.withRules(rules)).options({ resultTypes: ['violations'] }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${new URL(page.url()).pathname} ${id}: ${html}\n${failureSummary}`),
    );
}
