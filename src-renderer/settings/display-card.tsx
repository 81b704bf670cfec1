import { Stack } from '@mantine/core';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../src-shared/words/date-text.ts';
import { locale } from '../../src-shared/words/language/locale.ts';
import { Card } from '../components/page/card.tsx';
import { Facts } from '../components/text/facts.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { LanguageField } from './language-field.tsx';

const words = messages.settings.display;
const EXAMPLE = { value: 123_456n, assetCode: 'EUR', assetScale: 2 };

/** Shows how amounts and dates are written, and in which time zone. */
export function DisplayCard() {
  const now = useNodeTime(60_000);
  const language = new Intl.DisplayNames([locale()], { type: 'language' }).of(locale()) ?? locale();
  return (
    <Card title={words.title}>
      <Stack gap="md">
        <Facts
          facts={[
            [words.language, words.languageWords({ language })],
            [words.example, `${amountText(EXAMPLE)} · ${dateTimeText(now)}`],
            [words.theme, words.themeWords],
          ]}
        />
        <LanguageField />
      </Stack>
    </Card>
  );
}
