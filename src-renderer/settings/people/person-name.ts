import type { Person } from '../../../src-shared/operator-contract/console/people.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';

const words = messages.people;

/** What a person is called on the screen. The first owner may have no name. */
export function nameOf({ name, isYou }: Pick<Person, 'name' | 'isYou'>): string {
  if (name !== '') return name;
  return isYou ? words.you : words.unnamed;
}
