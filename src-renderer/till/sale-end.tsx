import { Button, Text } from '@mantine/core';
import { IconBan, IconCircleCheckFilled, IconClock } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import type { PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import type { PaymentStatus } from '../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { PrintButton, PrintStanding, useReceiptPrinter } from '../components/money/print-receipt.tsx';
import { ReceiptButton } from '../components/money/receipt-button.tsx';
import { AnchorLink } from '../components/page/links.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { Money } from '../components/text/money.tsx';
import { useTill } from '../transport/you.ts';
import { scanAhead, useScans } from './cart/use-scans.ts';
import { isWatched, useCustomerSees } from './customer/customer-sees.ts';
import { endSeen } from './customer/sale-seen.ts';
import { QUIET } from './customer/seen.ts';
import { PairedReceipt } from './paired-receipt.tsx';
import classes from './till.module.css';

const words = messages.till;

/** How a sale has ended. Only what the node has booked as paid is green. */
export function SaleEnd({ sale, status, onAgain }: { sale: PaymentRequest; status: PaymentStatus; onAgain: () => void }) {
  const { amount, progress, description, cancelReason, id } = sale;
  const isPaid = status === 'paid';
  const Icon = isPaid ? IconCircleCheckFilled : status === 'expired' ? IconClock : IconBan;
  const isPaired = useTill() !== null;
  useCustomerSees(isWatched(id) ? endSeen(sale, status) : QUIET);
  const shown = isPaid ? progress : (amount ?? progress);
  return (
    <div className={classes.end} data-paid={isPaid || undefined} data-testid="sale-end">
      <div role="status" className={classes.said}>
        <Icon className={classes.sign} aria-hidden />
        <Text className={classes.verdict}>{messages.payments.statuses[status]}</Text>
        <div className={classes.asked}>
          <Money text={amountText(shown)} fits />
        </div>
        {!isPaid && (
          <Text size="lg">
            {progress.value === 0n ? words.nothing : words.stays({ arrived: amountText(progress), whole: amountText(amount ?? progress) })}
          </Text>
        )}
        {cancelReason !== null && <InertText text={cancelReason} />}
        {description !== null && <InertText text={description} expands={false} />}
      </div>
      <NextSale onAgain={onAgain} color={isPaid ? 'dark' : undefined} />
      {progress.value > 0n && <HandOver id={id} isPaired={isPaired} />}
      {!isPaired && (
        <AnchorLink to="/get-paid/$id" params={{ id }} c="inherit" underline="always">
          {messages.getPaid.detail}
        </AnchorLink>
      )}
    </div>
  );
}

/** Hands over the receipt: printed by the printer of the shop, or as a page and a code. */
function HandOver({ id, isPaired }: { id: string; isPaired: boolean }) {
  const printer = useReceiptPrinter();
  return (
    <>
      {printer !== null && (
        <>
          <PrintButton kind="sale" id={id} printer={printer} size="lg" />
          <PrintStanding kind="sale" id={id} />
        </>
      )}
      {isPaired ? <PairedReceipt id={id} /> : <ReceiptButton kind="sale" id={id} size="lg" />}
    </>
  );
}

/** Begins the next sale: by its button, by Enter, or with a product that is scanned. */
export function NextSale({ onAgain, color }: { onAgain: () => void; color?: string | undefined }) {
  useEnter(onAgain);
  useScans((code) => {
    scanAhead(code);
    onAgain();
  });
  return (
    <Button className={classes.next} onClick={onAgain} autoFocus color={color}>
      {words.newSale}
    </Button>
  );
}

/** Enter begins the next sale wherever the focus is, except on another control. */
function useEnter(onAgain: () => void): void {
  const onKey = useEffectEvent(({ key, repeat, target }: KeyboardEvent) => {
    if (key === 'Enter' && !repeat && !(target instanceof Element && target.matches('button, a'))) onAgain();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
