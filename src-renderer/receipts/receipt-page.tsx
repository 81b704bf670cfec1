import { Alert, Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconDownload, IconExternalLink, IconPrinter } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Receipt } from '../../src-shared/operator-contract/shop/receipts.ts';
import { isPaper, PAPER_NAMES, type Paper } from '../../src-shared/receipts/papers.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { hostAndPath } from '../../src-shared/words/inert-text.ts';
import { spoken } from '../../src-shared/words/language/language.ts';
import { receiptWords } from '../../src-shared/words/sales/receipt-text.ts';
import { saveFile } from '../components/forms/save-file.ts';
import { PrintButton, PrintStanding, useReceiptPrinter } from '../components/money/print-receipt.tsx';
import { ReceiptButton } from '../components/money/receipt-button.tsx';
import { Card } from '../components/page/card.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import { Loaded, LoadFailed } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { Copy } from '../components/text/copy.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { QrCode } from '../components/text/qr-code.tsx';
import { namesNothing } from '../transport/error-text.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { useMayCall, useMayRead } from '../transport/you.ts';
import classes from './receipt.module.css';
import { ReceiptPaper } from './receipt-paper.tsx';
import { usePaper } from './use-paper.ts';

const route = getRouteApi('/desk/receipts/$kind/$id');
const words = messages.receipts;

/** The receipt of one payment or refund: the paper, and how the customer gets it. */
export function ReceiptPage() {
  const { kind: typed, id } = route.useParams();
  const kind = typed === 'refund' ? 'refund' : 'sale';
  const receipt = useQuery(queries.receipts.get.queryOptions({ input: { kind, id } }));
  const up = useMayRead() ? '/payments' : '/get-paid';
  if (receipt.data === undefined && receipt.error !== null)
    return (
      <Page title={words.button} up={up}>
        {namesNothing(receipt.error) ? (
          <Card>
            <Stack align="flex-start" gap="md">
              <Text>{words.none}</Text>
              <ReceiptButton kind={kind} id={id} text={words.issue} />
            </Stack>
          </Card>
        ) : (
          <LoadFailed error={receipt.error} onRetry={() => void receipt.refetch()} />
        )}
      </Page>
    );
  return (
    <Loaded
      query={receipt}
      skeleton={
        <Page title={<Skeleton height={32} width={260} />} up={up}>
          <Skeleton height={480} radius="lg" />
        </Page>
      }
    >
      {(data) => (data.content === null ? <Damaged up={up} /> : <Shown receipt={data} content={data.content} up={up} />)}
    </Loaded>
  );
}

const Damaged = ({ up }: { up: '/payments' | '/get-paid' }) => (
  <Page title={words.button} up={up}>
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
      {receiptWords.damaged}
    </Alert>
  </Page>
);

interface ShownProps {
  receipt: Receipt;
  content: NonNullable<Receipt['content']>;
  up: '/payments' | '/get-paid';
}

function Shown({ receipt, content, up }: ShownProps) {
  const shown = useRef<HTMLElement>(null);
  const [paper, choosePaper] = usePaper(shown);
  const { print, isPending, mark } = usePrint(receipt);
  const { kind, id, link, printed } = receipt;
  const printer = useReceiptPrinter();
  const isCopy = mark === undefined ? printed > 0 : mark === 'copy';
  return (
    <Page
      isPaper
      up={up}
      title={`${receiptWords.title[content.kind]} ${content.number}`}
      actions={
        <Group gap="sm">
          {printer !== null && <PrintButton kind={kind} id={id} printer={printer} isMain />}
          <Button
            variant={printer === null ? 'filled' : 'default'}
            leftSection={<IconPrinter size={18} aria-hidden />}
            loading={isPending}
            onClick={print}
          >
            {printer === null ? receiptWords.print : words.browserPrint}
          </Button>
          <SavePdf receipt={receipt} paper={paper} />
          <ButtonLink to="/till" variant="default">
            {words.toTill}
          </ButtonLink>
        </Group>
      }
    >
      <Group className={classes.unprinted} gap="md" justify="space-between">
        <SegmentedControl
          aria-label={receiptWords.paper}
          value={paper}
          onChange={(value) => isPaper(value) && choosePaper(value)}
          data={PAPER_NAMES.map((name) => ({ value: name, label: receiptWords.papers[name] }))}
        />
        <div>
          <PrintStanding kind={kind} id={id} />
          <Text c="dimmed" size="sm" data-testid="printed">
            {words.printedTimes({ count: printed })}
          </Text>
        </div>
      </Group>
      <div className={classes.layout}>
        <div className={classes.scroll}>
          <ReceiptPaper content={content} link={link} paper={paper} isCopy={isCopy} ref={shown} />
        </div>
        <div className={classes.side}>
          <TakeAlong link={link} />
          <Payers receipt={receipt} content={content} />
        </div>
      </div>
    </Page>
  );
}

/** Saves the receipt as a file for the chosen paper, in the language of the person at the console. */
function SavePdf({ receipt: { kind, id }, paper }: Pick<ShownProps, 'receipt'> & { paper: Paper }) {
  const report = useReporting();
  const save = useMutation(
    queries.receipts.pdf.mutationOptions({
      onSuccess: ({ fileName, base64 }) => saveFile(fileName, 'application/pdf', [bytesOf(base64)]),
      onError: report.failed,
    }),
  );
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate({ kind, id, language: spoken(), paper })}
    >
      {receiptWords.pdf}
    </Button>
  );
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** The link of the receipt, for the customer's own phone. */
const TakeAlong = ({ link }: Pick<Receipt, 'link'>) => (
  <Card title={words.take.title}>
    <Stack gap="md" align="center">
      <QrCode text={link} label={receiptWords.codeLabel} />
      <Text c="dimmed" ta="center">
        {words.take.words}
      </Text>
      <Group gap="sm" justify="center">
        <Copy value={link} what={words.link} large />
        <Button
          component="a"
          href={link}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconExternalLink size={18} aria-hidden />}
        >
          {messages.getPaid.openPage}
        </Button>
      </Group>
    </Stack>
  </Card>
);

/**
 * Counts a print in the node before the browser prints the paper, so that of two tills only one prints an original. A
 * person who may not count prints a copy.
 */
function usePrint({ kind, id }: Receipt) {
  const mayCount = useMayCall('receipts.print');
  const queryClient = useQueryClient();
  const report = useReporting();
  const [mark, setMark] = useState<'original' | 'copy'>();
  useEffect(() => {
    // What the browser prints by its own menu is not counted, so it is a copy.
    const uncounted = () => flushSync(() => setMark((before) => before ?? 'copy'));
    const done = () => setMark(undefined);
    window.addEventListener('beforeprint', uncounted);
    window.addEventListener('afterprint', done);
    return () => {
      window.removeEventListener('beforeprint', uncounted);
      window.removeEventListener('afterprint', done);
    };
  }, []);
  const printAs = (as: 'original' | 'copy') => {
    // The browser prints what is on the page at that moment.
    flushSync(() => setMark(as));
    window.print();
  };
  const count = useMutation(
    queries.receipts.print.mutationOptions({
      onSuccess: (receipt) => {
        printAs(receipt.printed === 1 ? 'original' : 'copy');
        queryClient.setQueryData(queries.receipts.get.queryKey({ input: { kind, id } }), receipt);
      },
      onError: report.failed,
    }),
  );
  return { mark, isPending: count.isPending, print: () => (mayCount ? count.mutate({ kind, id }) : printAs('copy')) };
}

function Payers({ receipt: { payers }, content: { assetCode, assetScale } }: Omit<ShownProps, 'up'>) {
  if (payers === null || payers.length === 0) return null;
  return (
    <Card title={words.payers.title}>
      <Stack gap="xs">
        <Text c="dimmed">{words.payers.words}</Text>
        {payers.map(({ walletAddress, amount }) => (
          <Text key={walletAddress}>
            {amountText({ value: amount, assetCode, assetScale })} · <InertText text={hostAndPath(walletAddress)} expands={false} />
          </Text>
        ))}
      </Stack>
    </Card>
  );
}
