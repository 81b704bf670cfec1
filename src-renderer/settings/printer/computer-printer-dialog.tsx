import { Alert, Modal, Select, Skeleton, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PrinterOfComputer } from '../../../src-shared/operator-contract/desktop.ts';
import type { Printer } from '../../../src-shared/operator-contract/shop/printing.ts';
import { isPaper, PAPER_NAMES, type Paper } from '../../../src-shared/receipts/papers.ts';
import { PAGE_LANGUAGES } from '../../../src-shared/receipts/print-jobs.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { spoken } from '../../../src-shared/words/language/language.ts';
import { receiptWords } from '../../../src-shared/words/sales/receipt-text.ts';
import { DialogFoot } from '../../components/forms/dialog-foot.tsx';
import { languageName } from '../../components/language/language-name.ts';
import { Loaded } from '../../components/page/loaded.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';

const words = messages.printer;

interface DialogProps {
  /** The receipt printer that there is. */
  printer: Printer | null;
  onClose: () => void;
}

/** Makes a printer of this computer the receipt printer, or changes how it prints. */
export function ComputerPrinterDialog({ printer, onClose }: DialogProps) {
  // The person may have plugged it in a moment ago.
  const found = useQuery(queries.desktop.printers.queryOptions({ staleTime: 0 }));
  return (
    <Modal opened onClose={onClose} title={words.ofComputer.choose} closeOnClickOutside={false}>
      <Loaded query={found} skeleton={<Skeleton height={240} />}>
        {(devices) =>
          devices.length === 0 ? <Alert color="orange">{words.ofComputer.noDevice}</Alert> : <Form {...{ printer, devices, onClose }} />
        }
      </Loaded>
    </Modal>
  );
}

interface Draft {
  device: string | null;
  paper: Paper;
  language: (typeof PAGE_LANGUAGES)[number];
  printsSales: boolean;
}

/** What the form begins with. */
function draftOf(printer: Printer | null, devices: readonly PrinterOfComputer[]): Draft {
  const own = printer?.host === null ? printer : undefined;
  return {
    // A computer with one printer needs no choice.
    device: (devices.length === 1 ? devices[0] : devices.find(({ isChosen }) => own !== undefined && isChosen))?.device ?? null,
    paper: own?.paper ?? 'roll80',
    language: own?.language ?? PAGE_LANGUAGES.find((tag) => tag === spoken()) ?? 'en',
    printsSales: own?.printsSales ?? false,
  };
}

function Form({ printer, devices, onClose }: DialogProps & { devices: readonly PrinterOfComputer[] }) {
  const [draft, setDraft] = useState(() => draftOf(printer, devices));
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const nameOf = (device: string) => inertText(devices.find((one) => one.device === device)?.name ?? device);
  const choose = useMutation(
    queries.desktop.choosePrinter.mutationOptions({
      onSuccess: async (_, { device }) => {
        onClose();
        await report.done(words.saved({ name: nameOf(device) }), 'settings');
      },
      onError: report.failed,
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const { device, ...settings } = draft;
    if (device !== null) choose.mutate({ device, ...settings });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Select
          label={words.ofComputer.device}
          data={devices.map(({ device }) => ({ value: device, label: nameOf(device) }))}
          value={draft.device}
          onChange={(device) => change({ device })}
          error={tried && draft.device === null ? words.ofComputer.deviceNeeded : undefined}
          allowDeselect={false}
          required
          data-autofocus
        />
        <Select
          label={words.paper}
          data={PAPER_NAMES.map((name) => ({ value: name, label: receiptWords.papers[name] }))}
          value={draft.paper}
          onChange={(value) => isPaper(value) && change({ paper: value })}
          allowDeselect={false}
        />
        <Select
          label={words.language}
          data={PAGE_LANGUAGES.map((tag) => ({ value: tag, label: languageName(tag) }))}
          value={draft.language}
          onChange={(value) => change({ language: PAGE_LANGUAGES.find((tag) => tag === value) ?? 'en' })}
          allowDeselect={false}
        />
        <Switch
          label={words.printsSales}
          description={words.printsSalesHint}
          checked={draft.printsSales}
          onChange={({ currentTarget }) => change({ printsSales: currentTarget.checked })}
        />
        <DialogFoot error={choose.error} busy={choose.isPending} action={words.save} onClose={onClose} />
      </Stack>
    </form>
  );
}
