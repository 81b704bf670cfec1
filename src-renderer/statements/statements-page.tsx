import { Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { DatevSettings } from '../../src-shared/statements/datev-settings.ts';
import { STATEMENT_FORMATS, type StatementFormat } from '../../src-shared/statements/statement.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dayInputText } from '../../src-shared/words/day-input.ts';
import { AccountSelect } from '../components/forms/account-select.tsx';
import { ExportProgress } from '../components/forms/export-progress.tsx';
import { daysOf, LAST_MONTH, PeriodFields } from '../components/forms/period-fields.tsx';
import { useChosenAccount } from '../components/forms/use-chosen-account.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { Split } from '../components/page/split.tsx';
import { nodeNow } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { DatevFields, draftOf, settingsOf } from './datev-fields.tsx';
import { Summary, useSummary } from './summary.tsx';
import { useFile } from './use-file.ts';

const route = getRouteApi('/desk/statements');
const words = messages.statements;

/** Saves everything that moved on an account between two days as a file. */
export function StatementsPage() {
  const { account: named } = route.useSearch();
  const accounts = useQuery(queries.accounts.list.queryOptions({ input: { limit: 1 } }));
  const settings = useQuery(queries.statements.settings.queryOptions());
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded query={accounts} skeleton={<Skeleton height={360} radius="lg" />}>
        {({ items }) =>
          items.length === 0 ? (
            <Card>
              <Text c="dimmed">{words.noAccount}</Text>
            </Card>
          ) : (
            <Loaded query={settings} skeleton={<Skeleton height={360} radius="lg" />}>
              {({ datev }) => <Chosen named={named} known={datev} />}
            </Loaded>
          )
        }
      </Loaded>
    </Page>
  );
}

function Chosen({ named, known }: { named: string | undefined; known: DatevSettings | null }) {
  const { query, choose } = useChosenAccount(named);
  return (
    <Loaded query={query} skeleton={<Skeleton height={360} radius="lg" />}>
      {(account) => <Form account={account} onAccount={choose} known={known} />}
    </Loaded>
  );
}

interface FormProps {
  account: Account;
  onAccount: (account: Account) => void;
  known: DatevSettings | null;
}

function Form({ account, onAccount, known }: FormProps) {
  const [chosen, setChosen] = useState(LAST_MONTH);
  const [format, setFormat] = useState<StatementFormat>('spreadsheet');
  const [draft, setDraft] = useState(() => draftOf(known));
  const [tried, setTried] = useState(false);
  const { state, start, stop } = useFile();
  const today = dayInputText(nodeNow());
  const period = daysOf(chosen, today);
  const summary = useSummary(account.id, period);
  const isRunning = state.kind === 'running';
  const isSuited = summary.data?.formats.includes(format) ?? true;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const datev = format === 'datev' ? settingsOf(draft) : undefined;
    if (period === undefined || (format === 'datev' && datev === undefined)) return;
    void start({ account, period, format, datev });
  };
  return (
    <Split
      main={
        <Card>
          <form onSubmit={submit} noValidate>
            <Stack gap="md">
              <AccountSelect
                label={words.account}
                account={account}
                onAccount={(one) => one !== undefined && onAccount(one)}
                allowDeselect={false}
                disabled={isRunning}
              />
              <PeriodFields period={chosen} today={today} onChange={setChosen} disabled={isRunning} />
              <Select
                label={words.format}
                description={words.hints[format]}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                data={STATEMENT_FORMATS.map((one) => ({ value: one, label: words.formats[one] }))}
                value={format}
                onChange={(value) => setFormat(STATEMENT_FORMATS.find((one) => one === value) ?? format)}
                allowDeselect={false}
                disabled={isRunning}
                error={!isSuited && words.notSuited({ currency: account.assetCode })}
              />
              {format === 'datev' && <DatevFields draft={draft} onChange={setDraft} tried={tried} disabled={isRunning} />}
              <ExportProgress state={state} words={words} done={(rows) => words.done({ rows })} />
              <Failure error={state.kind === 'failed' ? state.error : null} />
              <Group justify="flex-end">
                {isRunning ? (
                  <Button variant="default" onClick={stop}>
                    {words.stop}
                  </Button>
                ) : (
                  <Button
                    type="submit"
                    leftSection={<IconFileDownload size={18} aria-hidden />}
                    disabled={period === undefined || !isSuited}
                  >
                    {words.save}
                  </Button>
                )}
              </Group>
            </Stack>
          </form>
        </Card>
      }
      side={<Summary query={summary} />}
    />
  );
}
