import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readTypedNumber } from '../../src-shared/typed-input/typed-amount.ts';
import { plainNumberText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Failure } from '../components/page/failure.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.till.setting;
/** What is offered at first, in percent. */
const USUAL = [5, 10, 15] as const;
const MOST = 100;

/** Which tips the till offers. The switch is saved at once, and the percentages with their button. */
export function TipsField({ percents }: { percents: readonly number[] | null }) {
  const report = useReporting();
  const set = useMutation(
    queries.settings.setTips.mutationOptions({
      onSuccess: (_, sent) => report.done(sent.percents === null ? words.tipsOff : words.tipsSaved, 'settings'),
      onError: report.failed,
    }),
  );
  const isOn = set.isPending ? set.variables.percents !== null : percents !== null;
  return (
    <Stack gap="sm">
      <Switch
        label={words.tips}
        description={words.tipsHint}
        checked={isOn}
        disabled={set.isPending}
        onChange={({ currentTarget }) => set.mutate({ percents: currentTarget.checked ? [...USUAL] : null })}
      />
      {percents !== null && (
        <Percents key={percents.join()} percents={percents} onSave={(next) => set.mutate({ percents: next })} busy={set.isPending} />
      )}
      <Failure error={set.error} />
    </Stack>
  );
}

function Percents({ percents, onSave, busy }: { percents: readonly number[]; onSave: (percents: number[]) => void; busy: boolean }) {
  const [texts, setTexts] = useState(() => percents.map((one) => plainNumberText(String(one))));
  const typed = texts.map(typedPercent);
  const isWrong = typed.some((one, nth) => one === undefined || one <= (typed[nth - 1] ?? 0));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong) onSave(typed.filter((one) => one !== undefined));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          {texts.map((text, nth) => (
            <TextInput
              key={String(nth)}
              aria-label={words.percent({ nth: String(nth + 1) })}
              value={text}
              inputMode="numeric"
              flex="1 1 0"
              miw={0}
              maxLength={3}
              error={isWrong}
              onChange={({ currentTarget: { value } }) => setTexts(texts.map((one, place) => (place === nth ? value : one)))}
              rightSection="%"
              rightSectionPointerEvents="none"
            />
          ))}
          <Button type="submit" variant="default" flex="none" loading={busy} disabled={isWrong || typed.join() === percents.join()}>
            {words.saveTips}
          </Button>
        </Group>
        {isWrong && (
          <Text size="sm" c="red" role="alert">
            {words.tipsWrong}
          </Text>
        )}
      </Stack>
    </form>
  );
}

/** A whole percentage from 1 to 100, in the digits of any script. */
function typedPercent(text: string): number | undefined {
  const read = readTypedNumber(text);
  const value = read.kind === 'value' ? Number(read.value) : undefined;
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= MOST ? value : undefined;
}
