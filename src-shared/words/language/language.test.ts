import { afterEach, describe, expect, it } from 'vitest';
import { catalogue } from '../catalogues/en/catalogue.ts';
import { accounts } from '../console/accounts.ts';
import { plain } from '../words.ts';
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

  it('keep a fact apart within a text with emphasis, where each piece is made inert and isolated', () => {
    learn('ar', { 'consent.askMoney': 'يطلب <strong>حتى {account} كل شهر</strong>' });
    const said = inLanguage('ar', () => area('consent').askMoney({ account: 'US$ 5' }));
    expect(said).toEqual(['يطلب ', { strong: 'حتى ' }, { strong: '\u2068US$ 5\u2069' }, { strong: ' كل شهر' }]);
    // A name that holds such marks itself ends up in pieces, and hides nothing.
    const hostile = inLanguage('ar', () => area('consent').askMoney({ account: 'a\u2069b\u2068c' }));
    expect(plain(hostile)).toBe('يطلب حتى \u2068a\u2069b\u2068c\u2069 كل شهر');
  });

  it('are pieces where something stands out, also within a fact', () => {
    const { askMoney, accounts: names } = area('consent');
    expect(askMoney({ account: names.one({ address: 'pay.example/a' }) })).toEqual([
      'ask for money to be paid into ',
      { strong: 'pay.example/a' },
    ]);
  });
});
