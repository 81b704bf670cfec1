import { Alert, Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ExportPart as PartSchema } from '../../../src-shared/operator-contract/payments/payments.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { locale } from '../../../src-shared/words/language/locale.ts';
import type { z } from '../../../src-shared/zod.ts';
import { nodeNow } from '../../transport/node-clock.ts';
import { saveFile } from './save-file.ts';

const words = messages.payments.exporting;

type ExportPart = z.infer<typeof PartSchema>;

type State = { kind: 'ready' | 'failed' } | { kind: 'running'; rows: number; of: number } | { kind: 'done'; rows: number };

interface ExportDialogProps {
  /** Begins the export. */
  read: (signal: AbortSignal) => Promise<AsyncIterable<ExportPart>>;
  /** How many rows to expect. The export itself reports how many it has. */
  count: number;
  /** Such as `payments`. */
  fileName: string;
  /** The text about what will be exported, and the text about what was. */
  before: string;
  after: (rows: number) => string;
  opened: boolean;
  onClose: () => void;
}

/** Reads an export to its end. @returns its text in parts, and how many rows it has */
async function gather(
  exported: AsyncIterable<ExportPart>,
  onPart: (part: ExportPart) => void,
): Promise<{ parts: readonly string[]; rows: number }> {
  const parts: string[] = [];
  let rows = 0;
  for await (const part of exported) {
    parts.push(part.csv);
    rows = part.rows;
    onPart(part);
  }
  return { parts, rows };
}

/** Fetches a table as a CSV file, part by part. Closing the dialog stops the export. */
export function ExportDialog({ read, count, fileName, before, after, opened, onClose }: ExportDialogProps) {
  const [state, setState] = useState<State>({ kind: 'ready' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    running.current = undefined;
    setState({ kind: 'ready' });
  };
  const start = async () => {
    const attempt = new AbortController();
    running.current = attempt;
    setState({ kind: 'running', rows: 0, of: count });
    try {
      const table = await gather(await read(attempt.signal), ({ rows, of }) => {
        if (!attempt.signal.aborted) setState({ kind: 'running', rows, of });
      });
      if (attempt.signal.aborted) return;
      saveFile(`${fileName}-${nodeNow().toISOString().slice(0, 10)}.csv`, 'text/csv;charset=utf-8', table.parts);
      setState({ kind: 'done', rows: table.rows });
    } catch {
      if (!attempt.signal.aborted) setState({ kind: 'failed' });
    }
  };
  const close = () => {
    stop();
    onClose();
  };
  const text = (rows: number) => rows.toLocaleString(locale());
  return (
    <Modal opened={opened} onClose={close} title={words.title}>
      <Stack gap="md">
        <Text>{before}</Text>
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
        <div role="status">{state.kind === 'done' && <Alert>{after(state.rows)}</Alert>}</div>
        {state.kind === 'failed' && (
          <Alert color="red" role="alert">
            {words.failed}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          {state.kind === 'running' ? (
            <Button variant="default" onClick={stop}>
              {words.stop}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={close}>
                {state.kind === 'done' ? messages.common.close : messages.common.cancel}
              </Button>
              {state.kind !== 'done' && (
                <Button onClick={() => void start()} data-autofocus>
                  {words.start}
                </Button>
              )}
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
