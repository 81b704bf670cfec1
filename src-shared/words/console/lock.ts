import { area, extended } from '../language/language.ts';
import { shellWord } from '../words.ts';
import type { namesOfBrowser } from './browser-name.ts';

const text = area('lock');

export const lock = extended('lock', () => ({
  command: (folder: string) => `npm run -s headless -- remove-lock --data-dir ${shellWord(folder)}`,
  card: {
    minutes: (minutes: number) => (minutes % 60 === 0 ? text.card.hours({ count: minutes / 60 }) : text.card.minutes({ count: minutes })),
  },
  browsers: {
    name: ({ browser = text.browsers.another, system }: ReturnType<typeof namesOfBrowser>) =>
      system === undefined ? browser : text.browsers.onSystem({ browser, system }),
  },
}));
