import { afterEach, describe, expect, it } from 'vitest';
import { catalogue } from '../catalogues/en/catalogue.ts';
import { accounts } from '../console/accounts.ts';
import { area, inLanguage, learn, messagesIn, speak, spoken } from './language.ts';

afterEach(() => speak('en'));

describe('the words of a language', () => {
  it('are English on the node, without loading anything', () => {
    expect(spoken()).toBe('en');
    expect(accounts.created({ name: 'Shop' })).toBe('Shop is ready.');
  });

  it('change with the language, and where they lack one it is the English one', () => {
    learn('de', { 'accounts.title': 'Konten' });
    expect(inLanguage('de', () => [accounts.title, accounts.add])).toEqual(['Konten', catalogue['accounts.add']]);
    expect(accounts.title).toBe(catalogue['accounts.title']);
  });

  it('go back to the language before, when something that is said fails', () => {
    learn('de', {});
    const fail = () => {
      throw new Error('not said');
    };
    expect(() => inLanguage('de', fail)).toThrow('not said');
    expect(spoken()).toBe('en');
  });

  it('keep names and amounts apart from a sentence that is written from the right', () => {
    learn('ar', { 'accounts.created': '{name} جاهز.' });
    expect(messagesIn('ar').accounts.created({ name: 'Shop' })).toBe('\u2068Shop\u2069 جاهز.');
  });

  it('are pieces where something stands out, also within a fact', () => {
    const { askMoney, accounts: names } = area('consent');
    expect(askMoney({ account: names.one({ address: 'pay.example/a' }) })).toEqual([
      'ask for money to be paid into ',
      { strong: 'pay.example/a' },
    ]);
  });
});
