import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const textIn = (language: string): string => {
  const file = new URL(`catalogues/${language}/console-settings.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)['settings.sharedBooks.backups'] ?? '';
};

it.each(['en', 'de', 'fr', 'es', 'pt-BR', 'ar'])('the console names the commands that back up a shared database (%s)', (language) => {
  const words = textIn(language).match(/[\w-]+/g) ?? [];
  expect(words).toEqual(expect.arrayContaining(['backup', 'restore', 'move', 'pg_dump']));
});
