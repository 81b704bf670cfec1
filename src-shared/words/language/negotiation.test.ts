import { describe, expect, it } from 'vitest';
import { acceptedLanguages, bestLanguage } from './negotiation.ts';

const all = () => true;

describe('the language of a reader', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['pt'], 'pt-BR'],
    [['nl', 'fr-CA'], 'fr'],
    [['AR'], 'ar'],
    [['nl'], undefined],
    [[''], undefined],
  ])('for %j is %s', (wanted, tag) => {
    expect(bestLanguage(wanted, all)).toBe(tag);
  });

  it('is one that has a catalogue', () => {
    expect(bestLanguage(['de', 'fr'], (tag) => tag === 'fr')).toBe('fr');
  });

  it.each([
    ['de-DE,de;q=0.9,en;q=0.8', ['de-DE', 'de', 'en']],
    ['en;q=0.5, ar', ['ar', 'en']],
    ['de;q=0, fr', ['fr']],
    ['de;q=nonsense, *, <script>', []],
    ['', []],
  ])('is read from the header %j', (header, tags) => {
    expect(acceptedLanguages(header)).toEqual(tags);
  });
});
