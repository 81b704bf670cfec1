import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Only theme.ts holds colours, font sizes, font weights and corner radii. Every other file names one of its tokens.

const FOLDER = join(import.meta.dirname, '../src-renderer');
/** The passphrase window opens before the console and uses no part of the console. */
const isApart = (name: string) => name.startsWith('passphrase');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(css|tsx?)$/.test(name) && !name.includes('.test.') && name !== 'theme.ts' && !name.startsWith('testing') && !isApart(name),
);

/** Ways to write a value that should be a token. */
const STRAY: readonly [what: string, pattern: RegExp][] = [
  ['a colour in figures', /(?<![&\w])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b(?!;)|\b(?:rgba?|hsla?|oklch|lab|color)\(\s*[\d.]/i],
  ['a colour by name', /(?:color|background|fill|stroke|border)[\w-]*:\s*(?:white|black|red|green|blue|gr[ae]y|orange|yellow)\b/i],
  ['a size of type', /font-size:\s*[\d.]|\bfz=\{|fontSize:\s*['"\d]/],
  ['a weight', /font-weight:\s*\d|fontWeight:\s*['"\d]/],
  ['a rounding', /border-radius:\s*[\d.]*[1-9]/],
];

test.each(STRAY)('%s is in theme.ts only', (_what, pattern) => {
  const found = files.flatMap((name) =>
    readFileSync(join(FOLDER, name), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${name}:${index + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test('theme.ts defines every variable that a file names', () => {
  const defined = new Set(readFileSync(join(FOLDER, 'theme.ts'), 'utf8').match(/--paydesk-[\w-]+/g));
  const named = files.flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').match(/--paydesk-[\w-]+/g) ?? []);
  expect(named.filter((name) => !defined.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
});

test('the page that the browser paints before the theme is loaded has the theme’s colours and font', () => {
  const page = readFileSync(join(FOLDER, 'index.html'), 'utf8').replaceAll(/\s+/g, ' ');
  const theme = `${readFileSync(join(FOLDER, 'theme.ts'), 'utf8')} #ffffff`;
  const colours = page.match(/#[\da-f]{6}\b/g) ?? [];
  expect(colours.length).toBeGreaterThan(5);
  expect(colours.filter((colour) => !theme.includes(colour))).toEqual([]);
  const [, family = 'none'] = /fontFamily:\s*'([^']+)'/.exec(theme) ?? [];
  expect(page).toContain(family);
});

test('both schemes define the same roles', () => {
  const theme = readFileSync(join(FOLDER, 'theme.ts'), 'utf8');
  const roles = (scheme: string) => {
    const block = new RegExp(`  ${scheme}: \\{([\\s\\S]*?)\\n  \\}`).exec(theme)?.[1] ?? '';
    return [...new Set(block.match(/--paydesk-[\w-]+/g))].sort();
  };
  expect(roles('light').length).toBeGreaterThan(10);
  expect(roles('light')).toEqual(roles('dark'));
});
