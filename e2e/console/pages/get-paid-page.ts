import type { Locator, Page } from '@playwright/test';

/** The screen on which the operator asks for money, and the page of one request. */
export class GetPaidPage {
  readonly amount: Locator;
  readonly description: Locator;
  readonly note: Locator;
  readonly reference: Locator;
  readonly into: Locator;
  readonly ends: Locator;
  readonly wayBack: Locator;
  readonly create: Locator;
  readonly open: Locator;
  readonly none: Locator;
  /** The link of one request. */
  readonly link: Locator;
  readonly code: Locator;
  readonly progress: Locator;
  readonly paidAmount: Locator;
  readonly title: Locator;
  readonly another: Locator;
  /** The note that no other wallet can pay. */
  readonly notConnected: Locator;
  /** Why visitors could not pay. */
  readonly attempts: Locator;

  constructor(page: Page) {
    this.amount = page.getByRole('textbox', { name: 'Amount' });
    this.description = page.getByLabel('What it is for');
    this.note = page.getByLabel('Private note');
    this.reference = page.getByLabel('Reference');
    this.into = page.getByRole('combobox', { name: 'Into account' });
    this.ends = page.getByLabel('Ends');
    this.wayBack = page.getByLabel('Way back');
    this.create = page.getByRole('button', { name: 'Make payment request' });
    this.open = page.getByRole('list', { name: 'Open requests' });
    this.none = page.getByText('Nothing is waiting to be paid');
    this.link = page.getByTestId('payment-link');
    this.code = page.getByRole('img', { name: /^QR code of / });
    this.progress = page.getByTestId('request-progress');
    this.paidAmount = page.getByTestId('paid-amount');
    this.title = page.getByRole('heading', { level: 1 });
    this.another = page.getByRole('link', { name: 'New request' });
    this.notConnected = page.getByRole('alert').filter({ hasText: 'Only wallets on this node can pay you so far' });
    this.attempts = page.getByRole('region', { name: 'Did not work' });
  }
}
