import { Select } from '@mantine/core';
import { LANGUAGES } from '../../src-shared/words/catalogues/languages.ts';
import { consoleCatalogues } from '../../src-shared/words/catalogues/load.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { languageName } from '../components/language/language-name.ts';
import { chooseLanguage, chosenLanguage } from '../components/language/load-words.ts';
import { useStateCell } from '../transport/state-cell.ts';
import { you } from '../transport/you.ts';

const words = messages.settings.display;
const BY_BROWSER = 'browser';

/** Lets the person choose the language of the console in this browser. The page is then loaded again. */
export function LanguageField() {
  const person = useStateCell(you)?.person;
  const languages = LANGUAGES.filter((tag) => tag in consoleCatalogues);
  const choices = languages.map((tag) => ({ value: tag, label: languageName(tag) }));
  return (
    <Select
      label={words.choose}
      description={words.chooseHint}
      data={[{ value: BY_BROWSER, label: words.byBrowser }, ...choices]}
      value={chosenLanguage() ?? BY_BROWSER}
      onChange={(value) =>
        chooseLanguage(
          languages.find((tag) => tag === value),
          person?.id,
        )
      }
      allowDeselect={false}
    />
  );
}
