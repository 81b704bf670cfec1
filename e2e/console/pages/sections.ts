import { expect, type Locator, type Page } from '@playwright/test';

/** The links to the console's sections, with what waits in them. */
export class Sections {
  /** How many requests wait, shown beside the name of their section. */
  readonly waiting: Locator;
  readonly #page: Page;
  readonly #links: Locator;
  /** The sections, in any language. */
  readonly #all: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#links = page.getByRole('navigation', { name: 'Sections' });
    this.#all = page.getByRole('navigation').first().getByRole('link');
    this.waiting = this.#links.getByRole('img', { name: /waits? for you/ });
  }

  async goTo(section: string): Promise<void> {
    await this.link(section).click();
  }

  /** The names of all sections, without the numbers of what waits. */
  async names(): Promise<string[]> {
    return (await this.#links.getByRole('link').allInnerTexts()).map((text) => text.replace(/\s*\d+$/, '').trim());
  }

  /** The paths of all sections. */
  async paths(): Promise<string[]> {
    await this.#all.first().waitFor();
    return await this.#all.evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
  }

  /**
   * Goes to a screen by its path, as a link of the console does, and waits until it shows what it has. That takes less
   * time than to open the path anew. Two screens of one route may not follow each other.
   */
  async show(path: string): Promise<void> {
    const heading = this.#page.getByRole('heading', { level: 1 });
    await heading.first().evaluate((left, to) => {
      if (to === location.pathname) return;
      left.setAttribute('data-left', '');
      history.pushState({}, '', to);
    }, path);
    await expect(this.#page.locator('h1[data-left]')).toHaveCount(0);
    await expect(heading).toBeVisible();
    await expect(this.#page.locator('.mantine-Skeleton-root')).toHaveCount(0);
  }

  link(section: string): Locator {
    return this.#links.getByRole('link', { name: new RegExp(`^${section}\\b`) });
  }
}
