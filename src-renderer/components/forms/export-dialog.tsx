import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ExportPart as PartSchema } from '../../../src-shared/operator-contract/payments/payments.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import type { z } from '../../../src-shared/zod.ts';
import { nodeNow } from '../../transport/node-clock.ts';
import { ExportProgress } from './export-progress.tsx';
import { saveFile } from './save-file.ts';
import { type ExportedRows, useExport } from './use-export.ts';

const words = messages.payments.exporting;

type ExportPart = z.infer<typeof PartSchema>;

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

/** Reads an export to its end, and saves it. @returns how many rows it has. */
async function save(
  exported: AsyncIterable<ExportPart>,
  fileName: string,
  signal: AbortSignal,
  onPart: (progress: ExportedRows) => void,
): Promise<number> {
  const csv: string[] = [];
  let rows = 0;
  for await (const part of exported) {
    csv.push(part.csv);
    rows = part.rows;
    onPart(part);
  }
  signal.throwIfAborted();
  saveFile(`${fileName}-${nodeNow().toISOString().slice(0, 10)}.csv`, 'text/csv;charset=utf-8', csv);
  return rows;
}

/** Fetches a table as a CSV file, part by part. Closing the dialog stops the export. */
export function ExportDialog({ read, count, fileName, before, after, opened, onClose }: ExportDialogProps) {
  const { state, start, stop } = useExport<void>(async (_wanted, signal, onPart) => save(await read(signal), fileName, signal, onPart));
  const close = () => {
    stop();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={words.title}>
      <Stack gap="md">
        <Text>{before}</Text>
        <ExportProgress state={state} words={words} done={after} />
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
                <Button onClick={() => void start(undefined, count)} data-autofocus>
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
