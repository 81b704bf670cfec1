import { afterEach, describe, expect, it } from 'vitest';
import { inLanguage, speak, spoken } from '../../../src-shared/words/language/language.ts';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { helpText } from './config.ts';
import { messageLanguage, speakIn } from './message-language.ts';

afterEach(() => speak('en'));

describe('the language of a terminal', () => {
  it.each([
    [{}, 'en'],
    [{ LANG: '' }, 'en'],
    [{ LANG: 'C' }, 'en'],
    [{ LANG: 'C.UTF-8' }, 'en'],
    [{ LANG: 'POSIX' }, 'en'],
    [{ LANG: 'nl_NL.UTF-8' }, 'en'],
    [{ LANG: 'de' }, 'de'],
    [{ LANG: 'de_AT' }, 'de'],
    [{ LANG: 'de_DE.UTF-8@euro' }, 'de'],
    [{ LANG: 'de_DE@euro' }, 'de'],
    [{ LANG: 'de@euro' }, 'de'],
    [{ LANG: 'de.UTF-8' }, 'de'],
    [{ LANG: 'fr_CA.ISO-8859-1' }, 'fr'],
    [{ LANG: 'pt_BR.UTF-8' }, 'pt-BR'],
    [{ LANG: 'pt_PT.UTF-8' }, 'pt-BR'],
    [{ LANG: 'ar_EG.UTF-8' }, 'ar'],
    [{ LANG: 'de_DE.UTF-8', LC_MESSAGES: 'es_ES.UTF-8' }, 'es'],
    [{ LANG: 'de_DE.UTF-8', LC_MESSAGES: 'es_ES.UTF-8', LC_ALL: 'fr_FR.UTF-8' }, 'fr'],
    [{ LANG: 'de_DE.UTF-8', LC_MESSAGES: '', LC_ALL: '' }, 'de'],
    // The first variable that is set decides, also when it asks for English.
    [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C' }, 'en'],
    [{ LANG: 'de_DE.UTF-8', LC_ALL: 'nl_NL.UTF-8' }, 'en'],
  ])('with %j is %s', (env, tag) => {
    expect(messageLanguage([], undefined, env)).toBe(tag);
  });

  it.each([
    [['--message-language', 'de'], 'de'],
    [['status', '--message-language=pt-BR'], 'pt-BR'],
    [['--message-language', 'es_MX.UTF-8', '--listen', 'nonsense'], 'es'],
    [['--message-language=de', '--message-language=ar'], 'ar'],
    // The language of a statement's file is another matter.
    [['statement', '--language', 'de'], 'fr'],
    // What is refused is refused in the language of the terminal.
    [['--message-language', 'nonsense'], 'fr'],
    [['--message-language'], 'fr'],
    [['--', '--message-language=de'], 'fr'],
  ])('is with %j the one that was typed', (argv, tag) => {
    expect(messageLanguage(argv, undefined, { LANG: 'fr_FR.UTF-8' })).toBe(tag);
  });

  it('is the one that the environment names, unless another was typed', () => {
    const env = { LANG: 'fr_FR.UTF-8', PAYDESK_MESSAGE_LANGUAGE: 'de' };
    expect(messageLanguage([], undefined, env)).toBe('de');
    expect(messageLanguage(['--message-language=es'], undefined, env)).toBe('es');
    expect(messageLanguage([], undefined, { ...env, PAYDESK_MESSAGE_LANGUAGE: '' })).toBe('fr');
  });
});

describe('the language of a desktop', () => {
  it('is the first of those of its user that paydesk speaks', () => {
    expect(messageLanguage([], ['nl-NL', 'de-AT', 'en'], { LANG: 'fr_FR.UTF-8' })).toBe('de');
    expect(messageLanguage([], [], { LANG: 'fr_FR.UTF-8' })).toBe('en');
    expect(messageLanguage(['--message-language=es'], ['de'], {})).toBe('es');
  });
});

describe('the words of the process', () => {
  it('are those of the language, also of what was named before', async () => {
    await speakIn('de');
    expect(spoken()).toBe('de');
    expect(commandWords.unlock.notLocked).toBe('Der Knoten ist nicht gesperrt.');
    expect(helpText('npm run headless --')).toContain('Ordner für die Datenbank');
    expect(inLanguage('en', () => commandWords.unlock.notLocked)).toBe('The node is not locked.');
  });

  it('are English again', async () => {
    await speakIn('de');
    await speakIn('en');
    expect(helpText('npm run headless --')).toContain('folder for the database');
  });
});
