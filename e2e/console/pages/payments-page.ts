import type { Locator, Page } from '@playwright/test';

/** The list of payments, with its filters. */
export class PaymentsPage {
  readonly none: Locator;
  readonly noneFound: Locator;
  readonly list: Locator;
  readonly rows: Locator;
  readonly search: Locator;
  readonly status: Locator;
  readonly account: Locator;
  readonly clearFilters: Locator;
  /** How many payments match, and their sums. */
  readonly totals: Locator;
  readonly moreFilters: Locator;
  readonly reference: Locator;
  readonly app: Locator;
  readonly amountFrom: Locator;
  readonly amountTo: Locator;
  readonly fromDay: Locator;
  readonly toDay: Locator;
  /** The button that shows the payments that arrived while the operator was further down. */
  readonly arrived: Locator;
  readonly pay: Locator;
  readonly export: Locator;
  readonly exportDialog: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.none = page.getByText('No payments yet');
    this.noneFound = page.getByText('No payment matches these filters');
    this.list = page.getByRole('list', { name: 'Payments' });
    this.rows = this.list.getByRole('link');
    this.search = page.getByRole('searchbox', { name: 'Search' });
    this.status = page.getByRole('combobox', { name: 'Status' });
    this.account = page.getByRole('combobox', { name: 'Account' });
    this.clearFilters = page.getByRole('search').getByRole('link', { name: 'Clear filters' });
    this.totals = page.getByTestId('payment-totals');
    this.moreFilters = page.getByRole('button', { name: /^More filters/ });
    this.reference = page.getByRole('textbox', { name: 'Reference' });
    this.app = page.getByRole('combobox', { name: 'App' });
    this.amountFrom = page.getByRole('textbox', { name: 'Amount from' });
    this.amountTo = page.getByRole('textbox', { name: 'Amount to' });
    this.fromDay = page.getByLabel('From day');
    this.toDay = page.getByLabel('To day');
    this.arrived = page.getByRole('button', { name: /new payments?$/ });
    this.pay = page.getByRole('main').getByRole('link', { name: 'Pay', exact: true });
    this.export = page.getByRole('button', { name: 'Export' });
    this.exportDialog = page.getByRole('dialog', { name: 'Export as a table' });
  }

  /** The only line about money that comes into, or leaves, the account with this name. */
  row(way: `Into ${string}` | `From ${string}`): Locator {
    return this.rows.filter({ hasText: way });
  }

  direction(name: 'All' | 'In' | 'Out' | 'Not paid'): Locator {
    return this.#page.getByRole('radio', { name, exact: true });
  }

  /** Presses the direction. The radio button itself is invisible behind its label. */
  async show(name: 'All' | 'In' | 'Out' | 'Not paid'): Promise<void> {
    await this.#page.getByRole('radiogroup', { name: 'Direction' }).getByText(name, { exact: true }).click();
  }

  async choose(filter: Locator, option: string): Promise<void> {
    await filter.click();
    await this.#page.getByRole('option', { name: option, exact: true }).click();
  }
}

/** The page of one payment. */
export class PaymentPage {
  readonly title: Locator;
  readonly amount: Locator;
  readonly progress: Locator;
  readonly facts: Locator;
  /** The entries of the payment's timeline. */
  readonly timeline: Locator;
  readonly metadata: Locator;
  readonly failure: Locator;
  /** The money that waits for an answer, and the question about money whose answer will not come. */
  readonly held: Locator;
  readonly unknown: Locator;
  readonly complete: Locator;
  /** The question that comes before the payment is completed. */
  readonly question: Locator;
  /** The same for a payment with nothing in it. */
  readonly cancel: Locator;
  readonly cancelQuestion: Locator;

  constructor(page: Page) {
    this.title = page.getByRole('heading', { level: 1 });
    this.amount = page.getByTestId('payment-amount');
    this.progress = page.getByTestId('payment-progress');
    this.facts = page.getByRole('region', { name: 'Details' });
    this.timeline = page.getByRole('region', { name: 'What happened' });
    this.metadata = page.getByRole('region', { name: 'Data the app attached' });
    this.failure = page.getByRole('alert').filter({ hasText: 'This payment failed' });
    this.held = page.getByRole('alert').filter({ hasText: 'waits for an answer' });
    this.unknown = page.getByRole('alert').filter({ hasText: 'You have to find out whether this arrived' });
    this.complete = page.getByRole('main').getByRole('button', { name: 'Complete now' });
    this.question = page.getByRole('dialog', { name: 'Complete this payment?' });
    this.cancel = page.getByRole('main').getByRole('button', { name: 'Cancel request' });
    this.cancelQuestion = page.getByRole('dialog', { name: 'Cancel this request?' });
  }

  /** A fact by its name. */
  fact(name: string): Locator {
    return this.facts.getByRole('definition').and(this.facts.locator(`dt:text-is("${name}") + dd`));
  }
}
