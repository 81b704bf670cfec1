import { expect, it } from 'vitest';
import { catalogues } from '../catalogues/load.ts';
import { learn, messagesIn } from '../language/language.ts';

// A shopkeeper at the console and a customer at the page of a payment talk about it in the same words.

it.each(Object.keys(catalogues) as (keyof typeof catalogues)[])(
  'the page of a payment calls its state as the console does, in %s',
  async (tag) => {
    const read = catalogues[tag];
    if (read !== undefined) learn(tag, (await read()).catalogue);
    const { checkoutWords, payments } = messagesIn(tag);
    const { statuses } = payments;
    const { state, ended, paid } = checkoutWords;
    const said: readonly [status: string, page: string][] = [
      [statuses.waiting, state.waiting],
      [statuses.partly_paid, state.receiving],
      [statuses.partly_paid, ended.partly_paid],
      [statuses.paid, state.more],
      [statuses.paid, paid],
      [statuses.cancelled, ended.cancelled],
      [statuses.expired, ended.expired],
      [statuses.nothing_received, ended.nothing_received],
    ];
    for (const [status, page] of said) expect(page.toLocaleLowerCase(tag)).toContain(status.toLocaleLowerCase(tag));
  },
);
