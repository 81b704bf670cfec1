import { Button, Select, Text } from '@mantine/core';
import { IconFileText, IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { LINE_LEVELS } from '../../src-shared/log-levels.ts';
import type { LogLevel, LogLine } from '../../src-shared/operator-contract/health.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../src-shared/words/date-text.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { SearchFilter } from '../components/filters/text-filter.tsx';
import { useFilters } from '../components/filters/use-filters.ts';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { RowsSkeleton } from '../components/page/rows.tsx';
import { Status, type Tone } from '../components/page/status.tsx';
import { queries } from '../transport/operator-client.ts';
import classes from './health.module.css';
import { type LogFact, readableLine } from './readable-line.ts';

const route = getRouteApi('/desk/health/log');
const words = messages.health.log;
const TONES: Readonly<Record<LogLevel, Tone>> = { trace: 'idle', debug: 'idle', info: 'busy', warn: 'warning', error: 'bad', fatal: 'bad' };

/**
 * The last lines of the node's log, newest first. The page does not change while the operator reads, until they read
 * the log again.
 */
export function LogPage() {
  const search = route.useSearch();
  const log = useQuery({ ...queries.health.log.queryOptions({ input: search }), staleTime: 0, placeholderData: keepPreviousData });
  const set = useFilters(search);
  return (
    <Page
      up="/health"
      title={words.title}
      lead={words.lead}
      actions={
        <Button variant="default" leftSection={<IconRefresh size={18} aria-hidden />} onClick={() => void log.refetch()}>
          {words.refresh}
        </Button>
      }
    >
      <search className={classes.filters}>
        <SearchFilter words={words} text={search.text} onFilter={(text) => set({ text })} />
        <Select
          aria-label={words.levelLabel}
          value={search.level ?? 'trace'}
          onChange={(value) => set({ level: LINE_LEVELS.find((level) => level === value) })}
          allowDeselect={false}
          data={LINE_LEVELS.filter((level) => level !== 'debug').map((value) => ({ value, label: words.levels[value] }))}
        />
      </search>
      <Loaded query={log} skeleton={<Card flush>{<RowsSkeleton count={8} />}</Card>}>
        {({ lines, kept, most }) => (
          <>
            <Text size="sm" c="dimmed">
              {words.kept(kept, most)}
            </Text>
            <Card flush>
              {lines.length === 0 ? (
                <Empty icon={IconFileText} title={words.none} advice={words.noneAdvice} />
              ) : (
                <ul className={classes.list} aria-label={words.list}>
                  {lines.map((line) => (
                    <Line key={line.number} line={line} />
                  ))}
                </ul>
              )}
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Line({ line }: { line: LogLine }) {
  const { at, level } = line;
  const { message, brief, details } = readableLine(line);
  return (
    <li className={classes.line}>
      <span className={classes.time}>{dateTimeText(at)}</span>
      <Status tone={TONES[level]}>{words.levelNames[level]}</Status>
      <span className={classes.message}>
        <bdi>{inertText(message)}</bdi>
        {brief.map(([name, text]) => (
          <span key={name + text} className={classes.brief}>
            {name}
            {messages.common.colon} <bdi>{inertText(text)}</bdi>
          </span>
        ))}
        {details.length > 0 && <Details facts={details} />}
      </span>
    </li>
  );
}

/** Everything that a line holds, for an operator who looks for a cause. */
function Details({ facts }: { facts: readonly LogFact[] }) {
  return (
    <details className={classes.details}>
      <summary>{words.details}</summary>
      <dl className={classes.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{inertText(name)}</dt>
            <dd>{inertText(text)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
