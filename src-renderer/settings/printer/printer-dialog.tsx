import { Group, Modal, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Printer, PrinterSettings } from '../../../src-shared/operator-contract/shop/printing.ts';
import { isPrintedLanguage, PRINTED_LANGUAGES, ROLL_NAMES } from '../../../src-shared/receipts/print-jobs.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { spoken } from '../../../src-shared/words/language/language.ts';
import { receiptWords } from '../../../src-shared/words/sales/receipt-text.ts';
import { DialogFoot } from '../../components/forms/dialog-foot.tsx';
import { languageName } from '../../components/language/language-name.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { draftOf, isHost, isPort } from './printer-draft.ts';

const words = messages.printer;

/** Sets the receipt printer, or changes it. @param printer the one that there is */
export function PrinterDialog({ printer, onClose }: { printer: Printer | null; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(printer, spoken()));
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const name = draft.name.trim();
  const host = draft.host.trim();
  const set = useMutation(
    queries.printing.set.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.saved({ name }), 'settings');
      },
      onError: report.failed,
    }),
  );
  const change = (changed: Partial<PrinterSettings>) => setDraft((before) => ({ ...before, ...changed }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const { port, paper, language, printsSales } = draft;
    if (name !== '' && isHost(host) && isPort(port)) set.mutate({ name, host, port, paper, language, printsSales });
  };
  return (
    <Modal opened onClose={onClose} title={printer === null ? words.add : words.title} closeOnClickOutside={false}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={words.name}
            description={words.nameHint}
            value={draft.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            maxLength={40}
            error={tried && name === '' ? words.nameNeeded : undefined}
            required
            data-autofocus
          />
          <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
            <TextInput
              label={words.host}
              description={words.hostHint}
              value={draft.host}
              onChange={({ currentTarget }) => change({ host: currentTarget.value })}
              maxLength={253}
              dir="ltr"
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              error={tried && !isHost(host) ? words.hostNeeded : undefined}
              required
            />
            <NumberInput
              label={words.port}
              description={words.portHint}
              value={draft.port}
              onChange={(value) => change({ port: Number(value) })}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              dir="ltr"
              error={tried && !isPort(draft.port) ? words.portNeeded : undefined}
            />
          </Group>
          <Select
            label={words.paper}
            data={ROLL_NAMES.map((roll) => ({ value: roll, label: receiptWords.papers[roll] }))}
            value={draft.paper}
            onChange={(value) => change({ paper: value === 'roll58' ? value : 'roll80' })}
            allowDeselect={false}
          />
          <Select
            label={words.language}
            description={words.languageHint}
            data={PRINTED_LANGUAGES.map((tag) => ({ value: tag, label: languageName(tag) }))}
            value={draft.language}
            onChange={(value) => value !== null && isPrintedLanguage(value) && change({ language: value })}
            allowDeselect={false}
          />
          <Switch
            label={words.printsSales}
            description={words.printsSalesHint}
            checked={draft.printsSales}
            onChange={({ currentTarget }) => change({ printsSales: currentTarget.checked })}
          />
          <DialogFoot error={set.error} busy={set.isPending} action={printer === null ? words.add : words.save} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
