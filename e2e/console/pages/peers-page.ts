import type { Locator, Page } from '@playwright/test';
import { chooseByTyping } from '../../support/pages/choosing.ts';

/** The list of peers, and what they need to know about this node. */
export class PeersPage {
  readonly add: Locator;
  readonly none: Locator;
  readonly rows: Locator;
  readonly self: Locator;

  constructor(page: Page) {
    this.add = page.getByRole('link', { name: 'Add a peer' });
    this.none = page.getByText('No peers yet');
    this.rows = page.getByRole('list', { name: 'Peers' }).getByRole('link');
    this.self = page.getByRole('region', { name: 'What a peer needs to know about your node' });
  }
}

interface TypedPeer {
  name: string;
  currency: string;
  ilpAddress: string;
  endpoint: string;
  token: string;
  credit: string;
}

/** The form that adds a peer. */
export class NewPeerPage {
  readonly submit: Locator;
  readonly faults: Locator;
  readonly give: Locator;
  readonly done: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.submit = page.getByRole('button', { name: 'Add a peer' });
    this.faults = page.locator('[id$="-error"]');
    this.give = page.getByRole('region', { name: 'Now give them this' });
    this.done = page.getByRole('button', { name: 'I have kept it' });
  }

  async fill({ name, currency, ilpAddress, endpoint, token, credit }: TypedPeer): Promise<void> {
    const field = (label: string) => this.#page.getByRole('textbox', { name: label, exact: true });
    await field('Name').fill(name);
    await chooseByTyping(this.#page.getByRole('combobox', { name: 'Currency' }), currency);
    await field('ILP address').fill(ilpAddress);
    await field('Address for packets').fill(endpoint);
    await this.#page.getByLabel('Token they gave you').fill(token);
    await field('The most they may owe you').fill(credit);
  }
}

/** The page of one peer. */
export class PeerPage {
  readonly title: Locator;
  readonly position: Locator;
  readonly connection: Locator;
  /** The warning that appears when the last packet had no answer. */
  readonly held: Locator;
  readonly dialog: Locator;
  readonly give: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.title = page.getByRole('heading', { level: 1 });
    this.position = page.getByTestId('peer-position');
    this.connection = page.getByRole('region', { name: 'Connection' });
    this.held = this.connection.getByRole('alert', { name: 'The last packet had no answer' });
    this.dialog = page.getByRole('dialog');
    this.give = page.getByRole('region', { name: 'Now give them this' });
  }

  async press(name: string): Promise<void> {
    await this.#page.getByRole('main').getByRole('button', { name, exact: true }).click();
  }

  /** Chooses one of the further actions. */
  async choose(name: string): Promise<void> {
    await this.press('More');
    await this.#page.getByRole('menuitem', { name, exact: true }).click();
  }

  async settle(way: 'They paid you' | 'You paid them', amount: string): Promise<void> {
    await this.press('Record a settlement');
    await this.dialog.getByText(way, { exact: true }).click();
    await this.dialog.getByRole('textbox', { name: 'Amount' }).fill(amount);
    await this.dialog.getByRole('button', { name: 'Record', exact: true }).click();
    await this.dialog.waitFor({ state: 'hidden' });
  }
}

/** Inviting a peer, and accepting an invitation. */
export class InvitationsPage {
  readonly invite: Locator;
  readonly have: Locator;
  readonly make: Locator;
  readonly code: Locator;
  readonly sent: Locator;
  readonly paste: Locator;
  readonly read: Locator;
  readonly offer: Locator;
  readonly accept: Locator;
  readonly list: Locator;
  readonly refusal: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    const main = page.getByRole('main');
    this.#page = page;
    this.invite = main.getByRole('link', { name: 'Invite a peer' });
    this.have = main.getByRole('link', { name: 'I have an invitation' });
    this.make = main.getByRole('button', { name: 'Make the code' });
    this.code = main.locator('pre');
    this.sent = main.getByRole('button', { name: 'I have sent it' });
    this.paste = main.getByRole('textbox', { name: 'The code' });
    this.read = main.getByRole('button', { name: 'Read the invitation' });
    this.offer = main.getByRole('region', { name: 'What it says' });
    this.accept = main.getByRole('button', { name: 'Become peers' });
    this.list = main.getByRole('region', { name: 'Invitations' });
    this.refusal = main.getByRole('alert', { name: 'This invitation cannot be accepted now' });
  }

  field(name: string): Locator {
    return this.#page.getByRole('textbox', { name, exact: true });
  }

  async fillInvitation(currency: string, limit: string, introduction: string): Promise<void> {
    await chooseByTyping(this.#page.getByRole('combobox', { name: 'Currency' }), currency);
    await this.field('The most they may owe you').fill(limit);
    await this.field('Who you are').fill(introduction);
  }
}

/** The page on which a Rafiki node becomes a peer. */
export class RafikiPage {
  readonly add: Locator;
  readonly assetId: Locator;
  readonly variables: Locator;
  readonly lookAgain: Locator;
  readonly steps: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.add = page.getByRole('button', { name: 'Add it and go on' });
    this.assetId = page.getByRole('textbox', { name: 'The id' });
    this.variables = page.getByRole('region', { name: '3. Add your node there' }).locator('pre').nth(1);
    this.lookAgain = page.getByRole('button', { name: 'Look again' });
    this.steps = page.getByRole('list', { name: 'Steps of the connection' }).getByRole('listitem');
  }

  field(label: string): Locator {
    return this.#page.getByRole('textbox', { name: label, exact: true });
  }
}
