import { expect, it } from 'vitest';
import { violations } from './check-imports.mjs';

/** A console whose start says words of the start, and whose screen comes with its own. */
const CONSOLE = {
  'src-shared/words/catalogues/en/console.json': '{ "common.ok": "OK" }\n',
  'src-shared/words/catalogues/en/console-rates.json': '{ "rates.title": "Rates" }\n',
  'src-shared/words/catalogues/en/console-shop.json': '{ "shop.name": "Name" }\n',
  'src-shared/words/rates.ts': "import { area } from './language.ts';\nexport const rates = area('rates');\n",
  'src-shared/words/console/messages.ts':
    "import { rates } from '../rates.ts';\nexport const messages = { rates, common: area('common'), shop: area('shop') };\n",
  'src-renderer/rates/page.tsx':
    "import { messages } from '../../src-shared/words/console/messages.ts';\n// Not messages.shop.\nexport const title = messages.rates.title;\n",
  'src-renderer/router.tsx':
    "import { messages } from '../src-shared/words/console/messages.ts';\nexport const page = [messages.common.ok, withWords(['rates'], () => import('./rates/page.tsx'))];\n",
  'src-renderer/main.tsx': "await import('./router.tsx');\n",
};

const found = async (file = '') =>
  (await violations(new Map(Object.entries({ ...CONSOLE, 'src-renderer/a.tsx': file })))).flatMap(({ path, line, words }) =>
    words.includes('parts of the catalogue') ? [`${path}:${line} ${words}`] : [],
  );
const told = (line: number, specifier: string, own: string, named: string) => [
  `src-renderer/a.tsx:${line} loads ${specifier} with these parts of the catalogue: ${own}; its modules name: ${named}`,
];

it('lets a screen come with the words that its modules name', async () => {
  expect(await found()).toEqual([]);
});

it('refuses a screen without its words, and one with words that it does not say', async () => {
  const page = "import('./rates/page.tsx')";
  expect(await found(`export const page = () => ${page};\n`)).toEqual(told(1, './rates/page.tsx', 'none', 'rates'));
  const more = `\nexport const page = withWords(['rates', 'shop'], () => ${page});\n`;
  expect(await found(more)).toEqual(told(2, './rates/page.tsx', 'rates, shop', 'rates'));
});

it('refuses a start that says words of a screen, however it names them', async () => {
  const start = "await import('./a.tsx');\n";
  for (const says of ['export const { shop } = messages;', 'export const name = messages.shop.name;', "export const shop = area('shop');"])
    expect(await found(`${start}${says}\n`)).toEqual(told(1, './a.tsx', 'none', 'shop'));
});
