import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import Sqlite from 'better-sqlite3';
import { storeManyPayments } from '../../e2e/support/books/many-payments.ts';
import { createAccount } from '../../e2e/support/clients/flows.ts';
import { consoleLink } from '../../e2e/support/nodes/console-link.ts';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import type { findBrowser } from '../../scripts/browser.mjs';

type Account = Awaited<ReturnType<typeof createAccount>>;
type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * The console fetches its other screens after the first one, the accounts last. The bench times a console that has been
 * open for a while.
 */
export const screensFetched = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /\/account-page-[^/]*\.js$/.test(name)));

/** A browser signed in to the console of a built node with a long past. */
export class BusyConsole {
  readonly node: RunningNode;
  readonly browser: Browser;
  readonly #folder: string;
  readonly #accounts: { shop: Account; till: Account };
  readonly #cookies: Cookies;

  private constructor(opened: {
    node: RunningNode;
    browser: Browser;
    folder: string;
    accounts: { shop: Account; till: Account };
    cookies: Cookies;
  }) {
    this.node = opened.node;
    this.browser = opened.browser;
    this.#folder = opened.folder;
    this.#accounts = opened.accounts;
    this.#cookies = opened.cookies;
  }

  /** @param count payments of the past */
  static async open(program: NonNullable<ReturnType<typeof findBrowser>>, count: number): Promise<BusyConsole> {
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-console-'));
    const first = await RunningNode.start({ dataDir: folder });
    const accounts = { shop: await createAccount(first, 'shop', 0n), till: await createAccount(first, 'till', 10n ** 9n) };
    await first.stop();
    storeManyPayments(folder, { accountIds: [accounts.shop.id, accounts.till.id], count, until: Date.now() - 60_000 });
    const node = await RunningNode.start({ dataDir: folder });
    const browser = await chromium.launch(program);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(await consoleLink(node));
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const cookies = await context.storageState();
    await context.close();
    return new BusyConsole({ node, browser, folder, accounts, cookies });
  }

  /** A new page, signed in, with nothing in its cache. */
  async newPage(): Promise<Page> {
    const context = await this.browser.newContext({ storageState: this.#cookies, viewport: { width: 1280, height: 800 } });
    return await context.newPage();
  }

  /** How many events the node has written so far, read from outside so that it costs the node nothing. */
  events(): number {
    const database = new Sqlite(join(this.#folder, 'paydesk.db'), { readonly: true });
    try {
      return database.prepare<[], number>('select coalesce(max(position), 0) from events').pluck().get() ?? 0;
    } finally {
      database.close();
    }
  }

  /** Pays from one account to the other, as the operator. */
  async pay(): Promise<void> {
    const { payments } = this.node.operator;
    const { shop, till } = this.#accounts;
    const { id } = await payments.quote({
      requestId: randomUUID(),
      accountId: till.id,
      payee: shop.walletAddress,
      send: 100n,
      note: 'Bread',
    });
    await payments.pay({ requestId: randomUUID(), accountId: till.id, quoteId: id });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.node.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
