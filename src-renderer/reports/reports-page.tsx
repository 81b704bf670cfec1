import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { SalesReport } from '../../src-shared/operator-contract/shop/reports.ts';
import type { Period } from '../../src-shared/statements/period.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../src-shared/statements/report-formats.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { timeText } from '../../src-shared/words/date-text.ts';
import { dayInputText } from '../../src-shared/words/day-input.ts';
import { spoken } from '../../src-shared/words/language/language.ts';
import { AccountSelect } from '../components/forms/account-select.tsx';
import { FieldPair } from '../components/forms/field-pair.tsx';
import { daysOf, PeriodFields, THIS_MONTH } from '../components/forms/period-fields.tsx';
import { saveFile } from '../components/forms/save-file.ts';
import { useChosenAccount } from '../components/forms/use-chosen-account.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { nodeNow } from '../transport/node-clock.ts';
import { client, queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { Lists } from './lists.tsx';
import { OverTime } from './over-time.tsx';
import classes from './reports.module.css';
import { Totals } from './totals.tsx';

const route = getRouteApi('/desk/reports');
const words = messages.reports;

/** Shows what an account received between two days: in all, over time, and by what was sold, where and to whom. */
export function ReportsPage() {
  const { account: named } = route.useSearch();
  const accounts = useQuery(queries.accounts.list.queryOptions({ input: { limit: 1 } }));
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded query={accounts} skeleton={<Skeleton height={360} radius="lg" />}>
        {({ items }) =>
          items.length === 0 ? (
            <Card>
              <Text c="dimmed">{messages.statements.noAccount}</Text>
            </Card>
          ) : (
            <Chosen named={named} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Chosen({ named }: { named: string | undefined }) {
  const { query, choose } = useChosenAccount(named);
  return (
    <Loaded query={query} skeleton={<Skeleton height={360} radius="lg" />}>
      {(account) => <Report account={account} onAccount={choose} />}
    </Loaded>
  );
}

function Report({ account, onAccount }: { account: Account; onAccount: (account: Account) => void }) {
  const [chosen, setChosen] = useState(THIS_MONTH);
  const today = dayInputText(nodeNow());
  const period = daysOf(chosen, today);
  const query = useQuery({
    ...queries.reports.sales.queryOptions({ input: { accountId: account.id, from: period?.from ?? '', to: period?.to ?? '' } }),
    enabled: period !== undefined,
    placeholderData: keepPreviousData,
    // No change of the node has it read again, so it is read whenever somebody opens it.
    staleTime: 0,
  });
  return (
    <Stack gap="lg">
      <Card>
        <FieldPair>
          <AccountSelect
            label={messages.statements.account}
            account={account}
            onAccount={(one) => one !== undefined && onAccount(one)}
            allowDeselect={false}
          />
          <PeriodFields period={chosen} today={today} onChange={setChosen} />
        </FieldPair>
      </Card>
      <Failure error={query.error} onRetry={() => void query.refetch()} />
      {query.data !== undefined && period !== undefined && (
        <Stack gap="lg" className={classes.shown} data-old={query.isPlaceholderData || undefined} aria-busy={query.isPlaceholderData}>
          <SaveTable account={account} period={period} />
          <Shown report={query.data} isBusy={query.isFetching} onAgain={() => void query.refetch()} />
        </Stack>
      )}
      {query.isPending && period !== undefined && <Skeleton height={360} radius="lg" />}
    </Stack>
  );
}

async function saveReport(account: Account, period: Period, format: ReportFormat): Promise<void> {
  const parts: string[] = [];
  const input = { accountId: account.id, ...period, format, language: spoken() };
  for await (const part of await client.reports.export(input)) parts.push(part.csv);
  saveFile(`${account.name}-${period.from}-${period.to}.csv`, 'text/csv;charset=utf-8', parts);
}

/** Saves the report as a table, for people or for scripts. */
function SaveTable({ account, period }: { account: Account; period: Period }) {
  const report = useReporting();
  const save = useMutation({
    mutationFn: (format: ReportFormat) => saveReport(account, period, format),
    onError: report.failed,
  });
  return (
    <Group gap="sm">
      {REPORT_FORMATS.map((format) => (
        <Button
          key={format}
          variant="default"
          size="xs"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={save.isPending && save.variables === format}
          onClick={() => save.mutate(format)}
        >
          {messages.statements.formats[format]}
        </Button>
      ))}
    </Group>
  );
}

function Shown({ report, isBusy, onAgain }: { report: SalesReport; isBusy: boolean; onAgain: () => void }) {
  return (
    <>
      <Card title={words.received} aside={!report.isEnded && <Again isBusy={isBusy} onAgain={onAgain} />}>
        <Stack gap="md">
          <Totals report={report} />
          {report.received.count === 0 && <Alert>{words.nothing}</Alert>}
          {!report.isEnded && (
            <Text size="sm" c="dimmed">
              {words.notEnded({ time: timeText(report.at) })}
            </Text>
          )}
        </Stack>
      </Card>
      {report.days.length > 0 && <OverTime report={report} />}
      <Lists report={report} />
    </>
  );
}

const Again = ({ isBusy, onAgain }: { isBusy: boolean; onAgain: () => void }) => (
  <Button variant="default" size="xs" loading={isBusy} onClick={onAgain} leftSection={<IconRefresh size={16} aria-hidden />}>
    {words.again}
  </Button>
);
