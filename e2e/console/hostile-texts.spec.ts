import type { Page } from '@playwright/test';
import { ProductName } from '../../src-shared/shop/product.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, type ReachedNode, readCode, receivingToken, requestSpending, usd } from '../support/clients/flows.ts';
import { prepare, transmit } from '../support/clients/raw-client.ts';
import type { Operator } from '../support/nodes/running-node.ts';
import { ALARM, EVIL, HOSTILE_TEXTS } from '../support/pages/hostile-texts.ts';
import { everyScreen, oneOfEach } from './pages/screens/every-screen.ts';
import { expect, test } from './story-fixtures.ts';

const texts = (from: number, count: number): readonly string[] => HOSTILE_TEXTS.slice(from, from + count);
const requestId = () => crypto.randomUUID();

/** Gives the operator's own things hostile names and notes. @returns the paths of their pages. */
async function nameOwnThings(operator: Operator, shop: { id: string }): Promise<string[]> {
  const paths: string[] = [];
  const usd = { assetCode: 'USD', assetScale: 2 };
  for (const [at, publicName] of [...texts(0, 2), ...texts(36, 2), ...texts(58, 2)].entries()) {
    const { id } = await operator.accounts.create({ requestId: requestId(), name: `a${at}`, publicName, ...usd, openingBalance: 0n });
    paths.push(`/accounts/${id}`);
  }
  for (const [at, name] of [...texts(4, 2), ...texts(38, 2), ...texts(60, 2)].entries()) {
    const { peer } = await operator.peers.add({
      ...{ requestId: requestId(), name, ...usd, ilpAddress: `g.p${at}`, routes: [], deduplicates: false },
      ...{
        endpoint: `https://evil.invalid/${encodeURIComponent(name.toWellFormed())}`,
        creditLimit: 1n,
        debtLimit: null,
        maxPacketAmount: null,
      },
      outgoingToken: `the-token-they-gave-me-${at}`,
    });
    paths.push(`/peers/${peer.id}`);
  }
  const rate = { spreadBps: 0, asOf: new Date(), maxAgeSeconds: 3_600, rate: '1' };
  for (const [at, source] of [...texts(10, 2), ...texts(40, 2), ...texts(62, 2)].entries())
    await operator.rates.set({ base: 'USD', quote: `X${at}`, source, ...rate });
  for (const note of HOSTILE_TEXTS) await operator.accounts.deposit({ id: shop.id, requestId: requestId(), amount: 1n, note });
  await operator.rates.fund({ requestId: requestId(), ...usd, amount: 1n, note: HOSTILE_TEXTS[40] ?? '' });
  // A product has a short name in one line. All other texts can be one.
  const product = { ...usd, price: 1n, taxRateId: null, code: null, colour: null };
  for (const name of HOSTILE_TEXTS.filter((text) => ProductName.safeParse(text).success))
    await operator.products.add({ requestId: requestId(), name, ...product });
  return paths;
}

/** Asks for money with every text as description, reference and note. @returns the ids, and the public pages. */
async function askForMoney(operator: Operator, shop: { id: string }) {
  const asked: { id: string; link: string }[] = [];
  for (const text of HOSTILE_TEXTS) {
    const words = { description: text, reference: text, note: text };
    asked.push(await operator.requests.create({ requestId: requestId(), accountId: shop.id, amount: 100n, ...words }));
  }
  return asked;
}

/** An app that attaches every text as a name and as a value, at the top and below. @returns the ids of its requests. */
async function attachData(node: ReachedNode, client: ClientWallet, walletAddress: string): Promise<string[]> {
  const token = await receivingToken(node, client);
  const ids: string[] = [];
  for (let from = 0; from < HOSTILE_TEXTS.length; from += 25) {
    const some = texts(from, 25).map((text) => text.toWellFormed());
    const metadata = { ...Object.fromEntries(some.map((text) => [text, text])), nested: some, description: some[0], externalRef: some[1] };
    const answer = await transmit(
      prepare(client, 'POST', `${node.publicUrl}/incoming-payments`, token, { walletAddress, incomingAmount: usd('1'), metadata }),
    );
    expect(answer.status, answer.text).toBe(201);
    ids.push(new URL((JSON.parse(answer.text) as { id: string }).id).pathname.split('/').at(-1) ?? '');
  }
  return ids;
}

/** Apps with hostile names that wait for the operator. @returns their pages for the person who asked. */
async function askToPay(node: ReachedNode, clients: readonly ClientWallet[], walletAddress: string): Promise<string[]> {
  const pages: string[] = [];
  for (const client of clients) {
    const request = await requestSpending(node, client, walletAddress, { debitAmount: usd('1') });
    await readCode(client, request);
    pages.push(request.grant.interact.redirect);
  }
  return pages;
}

/** What strangers achieved in the pages that it watches. */
class Watch {
  readonly found: string[] = [];
  readonly #own: readonly string[];

  constructor(own: readonly string[]) {
    this.#own = own;
  }

  async begin(page: Page): Promise<void> {
    await page.exposeFunction(ALARM, () => this.found.push(`a script ran at ${page.url()}`));
    page.on('dialog', (dialog) => {
      this.found.push(`a dialogue opened at ${page.url()}`);
      void dialog.dismiss();
    });
    page.on('popup', () => this.found.push(`a window opened at ${page.url()}`));
    page.on('request', (request) => {
      const url = request.url();
      if (url.startsWith(EVIL) || !(url.startsWith('data:') || this.#own.includes(new URL(url).origin))) this.found.push(`asked ${url}`);
    });
  }

  /** Looks at a page as it stands, on a wide screen and on the narrowest phone. */
  async look(page: Page, widths: readonly number[] = [1_280, 320]): Promise<void> {
    const where = new URL(page.url()).pathname;
    this.found.push(...(await page.evaluate(turned)).map((what) => `${where}: ${what}`));
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const wide = await page.evaluate(tooWide);
      if (wide !== undefined) this.found.push(`${where} at ${width}: ${wide}`);
    }
  }
}

/** @returns by how much a page is wider than its window, and which text is; undefined when it fits. */
function tooWide(): string | undefined {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return undefined;
  const widest = [...document.querySelectorAll('body *')].findLast((element) => element.getBoundingClientRect().right > clientWidth);
  return `${scrollWidth - clientWidth} pixels too wide, by ${escape(widest?.outerHTML.slice(0, 200) ?? '')}`;
}

/** Finds marks that turn the direction of writing in a page, and what else a payload has changed. */
function turned(): string[] {
  const marks = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/;
  const found: string[] = [];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (marks.test(node.textContent ?? '')) found.push(`turns: ${escape(node.parentElement?.outerHTML.slice(0, 200) ?? '')}`);
  for (const name of ['aria-label', 'title', 'alt', 'placeholder'])
    for (const element of document.querySelectorAll(`[${name}]`))
      if (marks.test(element.getAttribute(name) ?? '')) found.push(`turns in ${name}: ${element.tagName}`);
  if (marks.test(document.title)) found.push('turns in the title');
  for (const link of document.querySelectorAll('a[href]'))
    if (!/^(https?|mailto|data|blob):$/.test(new URL((link as HTMLAnchorElement).href).protocol))
      found.push(`a link to ${link.getAttribute('href')}`);
  if (document.querySelector('dialog[open], iframe, object, embed, base, plaintext, svg[onload], img[onerror]') !== null)
    found.push('a payload became an element');
  return found;
}

test('a hundred hostile texts stay texts on every screen and every public page', async ({
  desk: { page, operator },
  node,
  client,
  person,
}) => {
  expect(HOSTILE_TEXTS).toHaveLength(100);
  const shop = await createAccount(node, 'shop', 0n);
  const paths = await nameOwnThings(operator, shop);
  const asked = await askForMoney(operator, shop);
  const attached = await attachData(node, client, shop.walletAddress);
  const clients = await Promise.all(['<b>', ...texts(36, 2), ...texts(58, 1)].map((name) => ClientWallet.start(name)));
  const hostile = await ClientWallet.start(HOSTILE_TEXTS[37] ?? '');
  const own = [new URL(page.url()).origin, node.publicUrl, ...[hostile, ...clients].map(({ url }) => new URL(url).origin)];
  const watch = new Watch(own);
  try {
    const { receipt, screens } = await oneOfEach({ node, client: hostile, shop, description: HOSTILE_TEXTS[36] });
    const interactions = await askToPay(node, clients, shop.walletAddress);
    const approvals = (await operator.approvals.list()).map(({ id }) => `/approvals/${id}`);
    expect(approvals).toHaveLength(clients.length + 1);
    const [, ...others] = asked.filter((_, at) => at % 20 === 0);
    const screensOfAll = everyScreen({
      ...screens,
      '/peers/$id': paths.filter((path) => path.startsWith('/peers/')),
      '/accounts/$id': [...paths.filter((path) => path.startsWith('/accounts/')), `/accounts/${shop.id}`],
      '/payments/$id': attached.map((id) => `/payments/${id}`),
      '/get-paid/$id': others.map(({ id }) => `/get-paid/${id}`),
      '/approvals/$id': approvals,
    });
    await watch.begin(page);
    const origin = new URL(page.url()).origin;
    await page.goto(origin);
    for (const path of screensOfAll) {
      await page.goto(origin + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
      await watch.look(page);
    }
    await page.goto(origin);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await watch.look(page);

    const visited = await person.open(shop.walletAddress);
    await watch.begin(visited);
    const accounts = (await operator.accounts.list({})).items.map(({ walletAddress }) => walletAddress);
    for (const url of [
      ...accounts,
      ...asked.map(({ link }) => link),
      ...attached.map((id) => `${node.publicUrl}/pay/${id}`),
      ...interactions,
      receipt.link,
    ]) {
      await visited.goto(url, { waitUntil: 'domcontentloaded' });
      await watch.look(visited, [320]);
    }
    expect(watch.found).toEqual([]);
  } finally {
    for (const one of [hostile, ...clients]) await one.stop();
  }
});
