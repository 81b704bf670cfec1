import type { Locator, Page } from '@playwright/test';

/** The list of payments with its filters. */
export class PaymentsPage {
  readonly none: Locator;
  readonly noneFound: Locator;
  readonly list: Locator;
  readonly rows: Locator;
  readonly search: Locator;
  readonly status: Locator;
  readonly account: Locator;
  readonly clearFilters: Locator;
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
    this.clearFilters = page.getByRole('link', { name: 'Clear filters' });
  }

  /** The one line about money that comes into, or goes from, the account with this name. */
  row(way: `Into ${string}` | `From ${string}`): Locator {
    return this.rows.filter({ hasText: way });
  }

  direction(name: 'All' | 'In' | 'Out'): Locator {
    return this.#page.getByRole('radio', { name, exact: true });
  }

  /** Presses the direction; the radio button itself lies out of sight behind its label. */
  async show(name: 'All' | 'In' | 'Out'): Promise<void> {
    await this.#page.getByRole('radiogroup', { name: 'Direction' }).getByText(name, { exact: true }).click();
  }

  async choose(filter: Locator, option: string): Promise<void> {
    await filter.click();
    await this.#page.getByRole('option', { name: option, exact: true }).click();
  }
}

/** One payment. */
export class PaymentPage {
  readonly title: Locator;
  readonly amount: Locator;
  readonly progress: Locator;
  readonly facts: Locator;
  /** What happened, one entry each. */
  readonly timeline: Locator;
  readonly metadata: Locator;
  readonly failure: Locator;
  readonly complete: Locator;
  /** The question before it is completed. */
  readonly question: Locator;

  constructor(page: Page) {
    this.title = page.getByRole('heading', { level: 1 });
    this.amount = page.getByTestId('payment-amount');
    this.progress = page.getByTestId('payment-progress');
    this.facts = page.getByRole('region', { name: 'Details' });
    this.timeline = page.getByRole('region', { name: 'What happened' });
    this.metadata = page.getByRole('region', { name: 'Data the app attached' });
    this.failure = page.getByRole('alert').filter({ hasText: 'This payment failed' });
    this.complete = page.getByRole('main').getByRole('button', { name: 'Complete now' });
    this.question = page.getByRole('dialog', { name: 'Complete this payment?' });
  }

  /** A fact by its name. */
  fact(name: string): Locator {
    return this.facts.getByRole('definition').and(this.facts.locator(`dt:text-is("${name}") + dd`));
  }
}
