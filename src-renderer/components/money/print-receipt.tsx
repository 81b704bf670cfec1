import { Button, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Receipt } from '../../../src-shared/operator-contract/shop/receipts.ts';
import type { PrintState } from '../../../src-shared/receipts/print-jobs.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { useMayCall } from '../../transport/you.ts';

const words = messages.receipts;

/** The receipt printer that this person may use. It is null when there is none. */
export function useReceiptPrinter(): { name: string } | null {
  const mayPrint = useMayCall('printing.print');
  const { data } = useQuery({ ...queries.printing.state.queryOptions(), enabled: mayPrint });
  const name = data?.name ?? null;
  return name === null ? null : { name: inertText(name) };
}

interface PrintButtonProps extends Pick<Receipt, 'kind' | 'id'> {
  printer: { name: string };
  /** Whether it is the main button of its screen. */
  isMain?: boolean;
  size?: 'sm' | 'lg';
}

/** Sends a receipt to the receipt printer. It issues the receipt before, when there is none yet. */
export function PrintButton({ kind, id, printer, isMain = false, size = 'sm' }: PrintButtonProps) {
  const report = useReporting();
  const issue = useMutation(queries.receipts.issue.mutationOptions({ onError: report.failed }));
  const print = useMutation(
    queries.printing.print.mutationOptions({ onSuccess: () => report.changed('requests'), onError: report.failed }),
  );
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      size={size}
      leftSection={<IconPrinter size={18} aria-hidden />}
      loading={issue.isPending || print.isPending}
      onClick={() => issue.mutate({ kind, id }, { onSuccess: () => print.mutate({ kind, id }) })}
    >
      {words.printOn(printer)}
    </Button>
  );
}

/** Says what became of a receipt at the receipt printer. It says nothing about one that was not sent there. */
export function PrintStanding({ kind, id }: Pick<Receipt, 'kind' | 'id'>) {
  const { data } = useQuery(queries.printing.ofReceipt.queryOptions({ input: { kind, id } }));
  const state = data?.state ?? null;
  if (data === undefined || state === null) return null;
  return (
    <Text size="sm" role="status" data-testid="print-state">
      {words.printStates[standing(state, data)]}
    </Text>
  );
}

/** The system of a computer has a queue of its own, so nobody knows when the paper comes out. */
function standing(state: PrintState, { isSilent, isOfComputer }: { isSilent: boolean; isOfComputer: boolean }) {
  if (state === 'waiting' && isSilent) return 'silent';
  return state === 'printed' && isOfComputer ? 'handedOver' : state;
}
