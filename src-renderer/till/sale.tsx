import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import type { PaymentStatus } from '../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { CancelRequest } from '../components/money/cancel-request.tsx';
import { incomingAt } from '../components/money/payment-state.tsx';
import { playPaid } from '../components/notices/tones.ts';
import { Loaded } from '../components/page/loaded.tsx';
import { clockText } from '../components/text/clock-text.ts';
import { InertText } from '../components/text/inert-text.tsx';
import { Money } from '../components/text/money.tsx';
import { QrCode } from '../components/text/qr-code.tsx';
import { errorText } from '../transport/error-text.ts';
import { connection } from '../transport/live.ts';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useStateCell } from '../transport/state-cell.ts';
import { NotTaken } from './cart/not-taken.tsx';
import { useCustomerSees, watchSale } from './customer/customer-sees.ts';
import { codeSeen } from './customer/sale-seen.ts';
import { NextSale, SaleEnd } from './sale-end.tsx';
import classes from './till.module.css';
import { muted } from './till-memory.ts';
import { useSale } from './use-sale.ts';

const words = messages.till;

/** One sale, from its making to its end. */
export function Sale({ id }: { id: string }) {
  const { found, refused, isRetrying } = useSale(id);
  const navigate = useNavigate();
  const again = () => void navigate({ to: '/till', search: {} });
  if (refused !== null)
    return (
      <div className={classes.end} role="alert">
        <Text className={classes.verdict}>{words.notMade}</Text>
        <Text>{errorText(refused)}</Text>
        <NextSale onAgain={again} />
      </div>
    );
  return (
    <Loaded query={found} skeleton={<Making isRetrying={isRetrying} />}>
      {(sale) => <Standing sale={sale} onAgain={again} />}
    </Loaded>
  );
}

function Making({ isRetrying }: { isRetrying: boolean }) {
  useCustomerSees(MOMENT);
  return (
    <Stack align="center" justify="center" gap="md" className={classes.making}>
      <Loader aria-hidden />
      <Text size="lg" ta="center">
        {isRetrying ? words.makingLost : words.making}
      </Text>
      <NotTaken />
    </Stack>
  );
}

const MOMENT = { kind: 'moment', amount: null } as const;

/**
 * The state is always the node's. Time alone ends a sale without an event in the node; but without a connection nobody
 * knows whether money came before.
 */
function Standing({ sale, onAgain }: { sale: PaymentRequest; onAgain: () => void }) {
  const isLost = useStateCell(connection) === 'lost';
  const now = useNodeTime(1_000);
  const at = incomingAt(sale, now);
  const { status, isOpen } = isLost ? { status: sale.status, isOpen: mayStillBePaid(sale) } : at;
  useSignal(status);
  if (isOpen && status !== 'paid') return <Waiting sale={sale} status={status} isLost={isLost} now={now} />;
  return <SaleEnd sale={sale} status={status} onAgain={onAgain} />;
}

/** Whether the node had told no end when it was last heard. */
const mayStillBePaid = ({ completed, status }: PaymentRequest): boolean => !completed && (status === 'waiting' || status === 'partly_paid');

/** Signals when the sale becomes paid while the people at the counter watch, and not when it was paid before. */
function useSignal(status: PaymentStatus): void {
  const before = useRef(status);
  useEffect(() => {
    if (status === 'paid' && before.current !== 'paid') {
      navigator.vibrate?.([80, 60, 160]);
      if (!muted.get()) playPaid();
    }
    before.current = status;
  }, [status]);
}

interface WaitingProps {
  sale: PaymentRequest;
  status: PaymentStatus;
  isLost: boolean;
  now: Date;
}

function Waiting({ sale, status, isLost, now }: WaitingProps) {
  const { amount, progress, description, accountName, link, expiresAt } = sale;
  const missing = amount === null ? progress : { ...amount, value: amount.value - progress.value };
  const isPartly = status === 'partly_paid';
  useCustomerSees(isLost ? { kind: 'moment', amount: amountText(amount ?? progress) } : codeSeen(sale, isPartly));
  useEffect(() => watchSale(sale.id), [sale.id]);
  return (
    <div className={classes.sale} data-lost={isLost || undefined}>
      <div className={classes.about}>
        <Text c="dimmed">
          <InertText text={description ?? accountName} expands={false} />
        </Text>
        <div className={classes.asked} data-testid="asked-amount">
          <Money text={amountText(isPartly ? missing : (amount ?? progress))} fits />
        </div>
        <div role="status" className={classes.state} data-state={isLost ? 'lost' : status}>
          {isLost ? (
            <>
              <IconCloudOff size={24} aria-hidden />
              {words.lost}
            </>
          ) : (
            messages.payments.statuses[status]
          )}
        </div>
        {isLost && <Text>{words.lostWords}</Text>}
        {isPartly && amount !== null && (
          <Text>{words.missing({ missing: amountText(missing), arrived: amountText(progress), whole: amountText(amount) })}</Text>
        )}
        <Problem id={sale.id} />
        <NotTaken />
      </div>
      <div className={classes.code}>
        <QrCode text={link} look={classes.qr} />
        {/* Without a connection the code is pale, and may be one that has ended. */}
        <Text ta="center">{isLost ? '\u00a0' : words.scan}</Text>
      </div>
      <div className={classes.foot}>
        {expiresAt !== null && !isLost && (
          <Text c="dimmed" className={classes.left}>
            {words.left({ time: clockText(expiresAt.getTime() - now.getTime()) })}
          </Text>
        )}
        <Leaving sale={sale} isLost={isLost} />
      </div>
    </div>
  );
}

/** The reason why the last attempt to pay this sale has failed, in words for the counter. */
function Problem({ id }: { id: string }) {
  const { data = [] } = useQuery(queries.requests.failedAttempts.queryOptions({ input: { id } }));
  const [last] = data;
  if (last === undefined) return null;
  return (
    <Alert color="orange" data-notice p="sm" role="alert">
      {words.problem({ reason: messages.getPaid.attempts.reasons[last.reason] })} {words.again}
    </Alert>
  );
}

/**
 * Asks whether to cancel the sale, by its button and whenever somebody leaves the screen while it waits. Without a
 * connection nobody can cancel it: then everybody may leave, and the sale lapses by itself.
 */
function Leaving({ sale, isLost }: { sale: PaymentRequest; isLost: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const blocker = useBlocker({
    shouldBlockFn: () => !isLost,
    enableBeforeUnload: false,
    withResolver: true,
  });
  const isBlocked = blocker.status === 'blocked';
  const onEscape = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'Escape' && !isLost) setAsking(true);
  });
  useEffect(() => {
    window.addEventListener('keydown', onEscape);
    return () => window.removeEventListener('keydown', onEscape);
  }, []);
  return (
    <>
      <Button variant="default" size="lg" className={classes.cancel} disabled={isLost} onClick={() => setAsking(true)}>
        {words.cancel}
      </Button>
      <CancelRequest
        request={sale}
        opened={isAsking || isBlocked}
        onClose={() => {
          setAsking(false);
          if (isBlocked) blocker.reset();
        }}
      />
    </>
  );
}
