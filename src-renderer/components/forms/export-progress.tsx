import { Alert, Progress, Stack, Text } from '@mantine/core';
import { locale } from '../../../src-shared/words/language/locale.ts';
import type { ExportState } from './use-export.ts';

interface ExportProgressProps {
  state: ExportState;
  words: { label: string; progress: (facts: { rows: string; of: string }) => string };
  /** What to say once the file is saved. */
  done: (rows: number) => string;
}

/** Shows how far an export is, and that it is done. */
export function ExportProgress({ state, words, done }: ExportProgressProps) {
  const text = (rows: number) => rows.toLocaleString(locale());
  return (
    <>
      {state.kind === 'running' && (
        <Stack gap={6}>
          <Progress.Root size="md">
            <Progress.Section value={state.of === 0 ? 0 : Math.floor((100 * state.rows) / state.of)} aria-label={words.label} />
          </Progress.Root>
          <Text size="sm" c="dimmed">
            {words.progress({ rows: text(state.rows), of: text(state.of) })}
          </Text>
        </Stack>
      )}
      <div role="status">{state.kind === 'done' && <Alert>{done(state.rows)}</Alert>}</div>
    </>
  );
}
