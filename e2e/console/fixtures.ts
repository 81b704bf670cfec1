import { test as base, chromium, type ElectronApplication, expect, type Page } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.mjs';
import { consoleLink } from '../support/nodes/console-link.ts';
import { type Operator, RunningNode } from '../support/nodes/running-node.ts';
import { type Browser, startDesktopApp } from './hosts/desktop-app.ts';
import { Problems } from './hosts/problems.ts';
import { WelcomePage } from './pages/welcome-page.ts';

/** A console in front of a node of its own, at the beginning of a first run. */
export interface Desk {
  readonly page: Page;
  /** Acts as the operator outside the page. The page must notice these changes without a reload. */
  readonly operator: Operator;
  readonly problems: Problems;
}

/** The same for a desktop app. */
export interface DesktopDesk extends Desk {
  readonly electron: ElectronApplication;
  readonly profile: string;
  quit(): Promise<void>;
}

let found: Browser | undefined;

/** The Chromium in which the tests run. */
export function browser(): Browser {
  found ??= findBrowser();
  if (found === undefined) throw new Error('There is no Chromium. Run the tests with: npm run e2e');
  return found;
}

async function openHeadlessDesk(problems: Problems, flags: readonly string[]) {
  const node = await RunningNode.start({ flags });
  const chrome = await chromium.launch(browser());
  const page = await chrome.newPage({ locale: 'en-GB', timezoneId: 'UTC' });
  problems.watch(page);
  await page.goto(await consoleLink(node));
  await new WelcomePage(page).heading.waitFor();
  const close = async () => {
    await chrome.close();
    expect(await node.stop(), 'how the node stopped').toBe(0);
  };
  return { page, operator: node.operator, close };
}

async function openDesktopDesk(problems: Problems, project: string, flags: readonly string[]) {
  const app = await startDesktopApp(project === 'standin' ? browser() : undefined, flags);
  problems.watch(app.page);
  await new WelcomePage(app.page).heading.waitFor();
  let running = true;
  const close = async () => {
    if (running) await app.quit();
    running = false;
  };
  return { ...app, quit: close, close };
}

/**
 * `desk` is the console on the project's host. `desktop` is the same, where the host is a desktop app. A test fails
 * when something goes wrong in its pages. `nodeFlags` are flags for the node behind them.
 */
export const test = base.extend<{ nodeFlags: readonly string[]; problems: Problems; desk: Desk; desktop: DesktopDesk }>({
  nodeFlags: [[], { option: true }],
  problems: async ({ browserName: _ }, use) => {
    const problems = new Problems();
    await use(problems);
    problems.check();
  },
  desk: async ({ problems, nodeFlags }, use, { project }) => {
    const { close, ...desk } =
      project.name === 'headless' ? await openHeadlessDesk(problems, nodeFlags) : await openDesktopDesk(problems, project.name, nodeFlags);
    await use({ ...desk, problems });
    await close();
  },
  desktop: async ({ problems, nodeFlags }, use, { project }) => {
    const { close, ...desk } = await openDesktopDesk(problems, project.name, nodeFlags);
    await use({ ...desk, problems });
    await close();
  },
});

export { expect };
