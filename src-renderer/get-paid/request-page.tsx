import { Alert, Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCircleCheckFilled, IconExternalLink, IconPlus, IconShare } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { amountText, percent } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateText, dateTimeText } from '../../src-shared/words/date-text.ts';
import { BillCard } from '../components/money/bill-card.tsx';
import { CancelRequest } from '../components/money/cancel-request.tsx';
import { incomingAt, PaymentState } from '../components/money/payment-state.tsx';
import { PaymentReceipt } from '../components/money/receipt-button.tsx';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { AnchorLink, ButtonLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { NotConnected } from '../components/page/not-connected.tsx';
import { Page } from '../components/page/page.tsx';
import { Split } from '../components/page/split.tsx';
import { MakeClaim } from '../components/refunds/make-claim.tsx';
import { RefundRequest, RequestClaims, RequestRefunds } from '../components/refunds/sale-refunds.tsx';
import { WaitingActs } from '../components/second-person/waiting-acts.tsx';
import { Copy } from '../components/text/copy.tsx';
import { Facts } from '../components/text/facts.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { Money } from '../components/text/money.tsx';
import { QrCode } from '../components/text/qr-code.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useMayRead } from '../transport/you.ts';
import { FailedAttempts } from './failed-attempts.tsx';
import { Reminder } from './reminder.tsx';
import { RequestNotes } from './request-notes.tsx';
import classes from './request-page.module.css';

const route = getRouteApi('/desk/get-paid/$id');
const words = messages.getPaid;

/** Shows one payment request to the payer across the counter: its code, its link and whether it is paid. */
export function RequestPage() {
  const { id } = route.useParams();
  const request = useQuery(queries.requests.get.queryOptions({ input: { id } }));
  return (
    <Loaded query={request} skeleton={<RequestSkeleton />}>
      {(data) => (
        <Page
          up="/get-paid"
          title={data.amount === null ? words.titleAny : words.titleOf({ amount: amountText(data.amount) })}
          actions={
            <Group gap="sm">
              <PaymentReceipt payment={data} />
              <Allowed to="refunds.create">
                <RefundRequest request={data} />
              </Allowed>
              <Allowed to="claims.make">{data.progress.value > 0n && <MakeClaim payment={data} />}</Allowed>
              <Allowed to="requests.cancel">
                <Cancel request={data} />
              </Allowed>
              <ButtonLink
                to="/get-paid"
                search={{ account: data.accountId }}
                variant="default"
                leftSection={<IconPlus size={18} aria-hidden />}
              >
                {words.another}
              </ButtonLink>
            </Group>
          }
        >
          <Allowed to="waiting.list">
            <WaitingActs subject={data.id} />
          </Allowed>
          <Split
            main={
              <>
                <Standing request={data} />
                <BillCard id={id} />
              </>
            }
            side={
              <>
                <About request={data} />
                <Allowed to="refunds.create">
                  <RequestRefunds request={data} />
                  <RequestClaims request={data} />
                </Allowed>
                <RemindPayer request={data} />
                <FailedAttempts id={id} />
              </>
            }
          />
        </Page>
      )}
    </Loaded>
  );
}

/** Lets the operator end a request that still takes money. */
function Cancel({ request }: { request: PaymentRequest }) {
  const [asking, { open, close }] = useDisclosure(false);
  const { isOpen } = incomingAt(request, useNodeTime(1_000));
  if (!isOpen) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        {messages.payments.cancel}
      </Button>
      <CancelRequest request={request} opened={asking} onClose={close} />
    </>
  );
}

/** A request from the desk that still takes money can be sent as a reminder. */
function RemindPayer({ request }: { request: PaymentRequest }) {
  const { isOpen, status } = incomingAt(request, useNodeTime(1_000));
  return isOpen && status !== 'paid' && request.madeAt !== 'till' ? <Reminder request={request} /> : null;
}

/**
 * The code while the request takes money, and its end after that. Without a fixed amount it may take more after
 * somebody has paid it.
 */
function Standing({ request }: { request: PaymentRequest }) {
  const { status, isOpen } = incomingAt(request, useNodeTime(1_000));
  return (
    <>
      {status === 'paid' && <Paid request={request} />}
      {isOpen && <LinkCard request={request} />}
      {!isOpen && status !== 'paid' && <Ended request={request} />}
    </>
  );
}

function LinkCard({ request }: { request: PaymentRequest }) {
  const reads = useMayRead();
  const info = useQuery(queries.node.info.queryOptions());
  return (
    <Card>
      <Stack align="center" gap="md">
        <QrCode text={request.link} />
        <Text ta="center" c="dimmed">
          {words.scan}
        </Text>
        <Text ff="monospace" size="sm" className={classes.link} data-testid="payment-link">
          {request.link}
        </Text>
        <Group gap="sm" justify="center">
          <Copy value={request.link} what={words.link} large />
          <Share request={request} />
          <Button
            component="a"
            href={request.link}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<IconExternalLink size={18} aria-hidden />}
          >
            {words.openPage}
          </Button>
        </Group>
        {reads && <NotConnected />}
        {reads && info.data?.reachableByOthers === false && (
          <Alert data-notice color="orange" p="sm">
            {words.onlyHere}{' '}
            <AnchorLink to="/settings" inherit underline="always">
              {messages.common.seeSettings}
            </AnchorLink>
          </Alert>
        )}
      </Stack>
    </Card>
  );
}

/** The tick that says “paid”, large enough to be seen from across the room. */
function Paid({ request }: { request: PaymentRequest }) {
  return (
    <Card>
      <Stack align="center" gap="xs" py="xl" role="status">
        <IconCircleCheckFilled size={96} aria-hidden className={classes.tick} />
        <Text className={classes.paid}>{messages.payments.statuses.paid}</Text>
        <Text component="div" className={classes.amount} data-testid="paid-amount">
          <Money text={amountText(request.progress)} fits />
        </Text>
      </Stack>
    </Card>
  );
}

/** The outcome of a request that ended before everything was paid. */
function Ended({ request }: { request: PaymentRequest }) {
  const { status } = incomingAt(request, useNodeTime(1_000));
  return (
    <Card>
      <Stack align="center" gap="xs" py="xl" role="status">
        <Text className={classes.paid}>{messages.payments.statuses[status]}</Text>
        <Text component="div" className={classes.amount} data-testid="arrived-amount">
          <Money text={amountText(request.progress)} fits />
        </Text>
        <Text c="dimmed" ta="center">
          {words.takesNoMore}
        </Text>
      </Stack>
    </Card>
  );
}

/** Shares the link with another program of this device, where the browser can do that. */
function Share({ request: { link } }: { request: PaymentRequest }) {
  if (typeof navigator.share !== 'function') return null;
  const share = () => {
    // It is no failure when the operator closes the list of programs.
    navigator.share({ url: link }).catch(() => undefined);
  };
  return (
    <Button variant="default" leftSection={<IconShare size={18} aria-hidden />} onClick={share}>
      {words.share}
    </Button>
  );
}

function About({ request }: { request: PaymentRequest }) {
  const { amount, progress, accountName, accountId, description, expiresAt, createdAt, id } = request;
  const { reference, note, cancelReason, madeAt, dueAt, returnUrl, till } = request;
  const { status } = incomingAt(request, useNodeTime(1_000));
  const fact = messages.payments.fact;
  const reads = useMayRead();
  return (
    <Card title={messages.payments.facts}>
      <Stack gap="md">
        <div data-testid="request-progress">
          <PaymentState status={status} />
          {amount !== null && (
            <Progress value={percent(progress.value, amount.value)} aria-label={messages.payments.progressLabel} mt="xs" mb={6} />
          )}
          <Text size="sm" c="dimmed">
            {amount === null
              ? words.received({ done: amountText(progress) })
              : words.receivedOf({ done: amountText(progress), whole: amountText(amount) })}
          </Text>
        </div>
        <Facts
          facts={[
            [
              fact.account,
              reads ? (
                <AnchorLink key="account" to="/accounts/$id" params={{ id: accountId }}>
                  <InertText text={accountName} expands={false} />
                </AnchorLink>
              ) : (
                <InertText key="account" text={accountName} expands={false} />
              ),
            ],
            [words.description, description === null ? undefined : <InertText key="description" text={description} />],
            [words.reference, reference === null ? undefined : <InertText key="reference" text={reference} />],
            [words.note, note === null ? undefined : <InertText key="note" text={note} />],
            [words.cancelling.cancelled, cancelReason === null ? undefined : <InertText key="cancelReason" text={cancelReason} />],
            [messages.payments.madeAtLabel, madeAt === 'till' ? messages.payments.madeAt.till : undefined],
            [messages.tills.fact, till === null ? undefined : <InertText key="till" text={till.name} />],
            [words.due, dueAt === null ? undefined : dateText(dueAt)],
            [words.wayBack, returnUrl === null ? undefined : <InertText key="back" text={returnUrl} />],
            [fact.created, dateTimeText(createdAt)],
            [words.expiry, expiresAt === null ? words.expiries.never : dateTimeText(expiresAt)],
          ]}
        />
        <Group gap="md">
          <Allowed to="requests.changeNotes">
            <RequestNotes request={request} />
          </Allowed>
          {reads && (
            <AnchorLink to="/payments/$id" params={{ id }} size="sm">
              {words.detail}
            </AnchorLink>
          )}
        </Group>
      </Stack>
    </Card>
  );
}

const RequestSkeleton = () => (
  <Page title={<Skeleton height={32} width={260} />} up="/get-paid">
    <Split main={<Skeleton height={440} radius="lg" />} side={<Skeleton height={320} radius="lg" />} />
  </Page>
);
