import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { consoleLink } from '../support/nodes/console-link.ts';
import { type Operator, RunningNode } from '../support/nodes/running-node.ts';
import { test as base, browser, type NewPerson } from './chrome.ts';
import { startDesktopApp } from './hosts/desktop-app.ts';
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

async function openHeadlessDesk(problems: Problems, newPerson: NewPerson, flags: readonly string[]) {
  const node = await RunningNode.start({ flags });
  const person = await newPerson();
  const page = await person.newPage();
  problems.watch(page);
  await page.goto(await consoleLink(node));
  await new WelcomePage(page).heading.waitFor();
  const close = async () => {
    await person.close();
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
  desk: async ({ problems, newPerson, nodeFlags }, use, { project }) => {
    const { close, ...desk } =
      project.name === 'headless'
        ? await openHeadlessDesk(problems, newPerson, nodeFlags)
        : await openDesktopDesk(problems, project.name, nodeFlags);
    await use({ ...desk, problems });
    await close();
  },
  desktop: async ({ problems, nodeFlags }, use, { project }) => {
    const { close, ...desk } = await openDesktopDesk(problems, project.name, nodeFlags);
    await use({ ...desk, problems });
    await close();
  },
});

export { browser, expect };
