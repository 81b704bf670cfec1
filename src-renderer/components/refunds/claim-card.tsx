import { Button, Group, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Claim, ClaimWallet } from '../../../src-shared/operator-contract/payments/claims.ts';
import type { Payer, Refund } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateText } from '../../../src-shared/words/date-text.ts';
import { hostAndPath, inertText } from '../../../src-shared/words/inert-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { useMayCall } from '../../transport/you.ts';
import { Confirm } from '../forms/confirm.tsx';
import { Allowed } from '../page/allowed.tsx';
import { Card } from '../page/card.tsx';
import { LoadMore } from '../page/load-more.tsx';
import { Status, type Tone } from '../page/status.tsx';
import { Copy } from '../text/copy.tsx';
import { Facts } from '../text/facts.tsx';
import { InertText } from '../text/inert-text.tsx';
import { QrCode } from '../text/qr-code.tsx';
import classes from './claim-card.module.css';

const words = messages.claims;

const TONES: Record<Claim['state'], Tone> = {
  open: 'busy',
  deciding: 'warning',
  refunded: 'good',
  cancelled: 'idle',
  expired: 'idle',
  refused: 'bad',
  doubted: 'warning',
};
/** A wallet answers at its own pace, so the page asks how it stands. */
const ASK_AGAIN_MS = 2_000;

interface Claimed {
  id: string;
  accountName: string;
  payers: readonly Payer[];
  refunds: readonly Refund[];
}

/**
 * The claim links of a payment: how each stands, the link while somebody can use it, and the decision that it waits
 * for. Where there is none and nobody knows who paid, it says what to do.
 */
export function ClaimCards({ payment }: { payment: Claimed }) {
  const known = useInfiniteQuery({
    ...queries.claims.of.infiniteOptions({
      input: (cursor: string | undefined) => ({ paymentId: payment.id, cursor }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
    refetchInterval: ({ state: { data } }) => (data?.pages[0]?.claims.some(({ state }) => state === 'open') ? ASK_AGAIN_MS : false),
  });
  if (known.data === undefined) return null;
  const claims = known.data.pages.flatMap((page) => page.claims);
  const { unproven } = messages.payments.refund;
  if (claims.length === 0 && payment.payers.length === 0 && payment.refunds.length === 0) {
    return (
      <Card title={unproven.title}>
        <Text c="dimmed">{unproven.words}</Text>
      </Card>
    );
  }
  return (
    <>
      {claims.map((claim) => (
        <ClaimCard key={claim.id} claim={claim} account={payment.accountName} />
      ))}
      <LoadMore list={known} />
    </>
  );
}

function ClaimCard({ claim, account }: { claim: Claim; account: string }) {
  const { id, state, amount, reason, wallet, refund, link, expiresAt } = claim;
  const isOpen = state === 'open' || state === 'deciding';
  return (
    <Card title={words.title} accent={state === 'deciding'}>
      <Stack gap="md" data-testid="claim">
        <div>
          <ClaimState claim={claim} />
          <Text>{amountText(amount)}</Text>
          {reason !== null && (
            <Text size="sm" c="dimmed">
              <InertText text={reason} length={200} />
            </Text>
          )}
          {isOpen && (
            <Text size="sm" c="dimmed">
              {words.until({ day: dateText(expiresAt) })}
            </Text>
          )}
        </div>
        {state === 'doubted' && <Text size="sm">{words.doubtedWords}</Text>}
        {wallet !== null && <Wallet wallet={wallet} claimed={refund?.claimed ?? null} />}
        {state === 'deciding' && wallet !== null && <Decision claim={claim} wallet={wallet} />}
        {state === 'open' && link !== null && <LinkToShare claim={claim} link={link} account={account} />}
        {isOpen && (
          <Allowed to="claims.cancel">
            <CancelClaim id={id} />
          </Allowed>
        )}
      </Stack>
    </Card>
  );
}

function ClaimState({ claim: { state, wallet, refund } }: { claim: Claim }) {
  if (state === 'refunded' && refund?.state === 'failed') return <Status tone="bad">{words.state.failed}</Status>;
  if (state === 'refunded' && refund !== null && refund.state !== 'done')
    return <Status tone="busy">{messages.payments.refund.states[refund.state]}</Status>;
  const isAsked = state === 'open' && wallet !== null && wallet.finding === null;
  return <Status tone={TONES[state]}>{isAsked ? words.state.asked : words.state[state]}</Status>;
}

/** The wallet that the customer named: what is proven about it, and what only it says. */
function Wallet({ wallet: { payer, finding, said }, claimed }: { wallet: ClaimWallet; claimed: Refund['claimed'] }) {
  return (
    <div>
      <Facts
        facts={[
          [words.wallet, <InertText key="wallet" text={hostAndPath(payer)} expands={false} />],
          [words.said, said === null || said.value === 0n ? undefined : amountText(said)],
        ]}
      />
      {(claimed !== null || finding !== null) && (
        <Text size="sm" mt="xs">
          {claimed !== null ? words.by[claimed] : finding !== null && words.finding[finding]}
        </Text>
      )}
    </div>
  );
}

function Decision({ claim: { id, amount }, wallet }: { claim: Claim; wallet: ClaimWallet }) {
  const [asking, setAsking] = useState<'refund' | 'refuse'>();
  const report = useReporting();
  const may = useMayCall('claims.refund');
  const close = () => setAsking(undefined);
  const how = (said: string) => ({
    onSuccess: async () => {
      close();
      await report.done(said, 'payments', 'accounts');
    },
    onError: report.failed,
  });
  const refund = useMutation(queries.claims.refund.mutationOptions(how(words.refundBegun)));
  const refuse = useMutation(queries.claims.refuse.mutationOptions(how(words.refusedNow)));
  if (!may) return null;
  const input = { id, walletId: wallet.id };
  const facts = { amount: amountText(amount), wallet: inertText(hostAndPath(wallet.payer)) };
  return (
    <>
      <Group gap="sm">
        <Button size="xs" onClick={() => setAsking('refund')}>
          {words.refundThere}
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsking('refuse')}>
          {words.refuse}
        </Button>
      </Group>
      <Confirm
        opened={asking === 'refund'}
        onClose={close}
        title={words.refundTitle(facts)}
        words={words.refundWords(facts)}
        action={words.refundThere}
        danger
        busy={refund.isPending}
        error={refund.error}
        onConfirm={() => refund.mutate(input)}
      />
      <Confirm
        opened={asking === 'refuse'}
        onClose={close}
        title={words.refuseTitle}
        words={words.refuseWords}
        action={words.refuse}
        busy={refuse.isPending}
        error={refuse.error}
        onConfirm={() => refuse.mutate(input)}
      />
    </>
  );
}

/** The link as a code, as text, and as a message that tells the customer what to do with it. */
function LinkToShare({ claim: { amount, expiresAt }, link, account }: { claim: Claim; link: string; account: string }) {
  const name = inertText(account);
  const message = words.message({ account: name, amount: amountText(amount), link, until: dateText(expiresAt) });
  const mail = `mailto:?subject=${encodeURIComponent(words.subject({ account: name }))}&body=${encodeURIComponent(message)}`;
  return (
    <Stack align="center" gap="sm">
      <QrCode text={link} />
      <Text ta="center" c="dimmed" size="sm">
        {words.scan}
      </Text>
      <Text ff="monospace" size="sm" className={classes.link} data-testid="claim-link">
        {link}
      </Text>
      <Group gap="sm" justify="center">
        <Copy value={link} what={words.link} large="named" />
        <Copy value={message} what={words.messageOf} large="named" />
        <Button component="a" href={mail} variant="default" leftSection={<IconMail size={18} aria-hidden />}>
          {words.mail}
        </Button>
      </Group>
    </Stack>
  );
}

function CancelClaim({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const report = useReporting();
  const cancel = useMutation(
    queries.claims.cancel.mutationOptions({
      onSuccess: async () => {
        setAsking(false);
        await report.done(words.cancelled, 'payments');
      },
      onError: report.failed,
    }),
  );
  return (
    <div>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        {words.cancel}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.cancelTitle}
        words={words.cancelWords}
        action={words.cancel}
        danger
        busy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate({ id })}
      />
    </div>
  );
}
