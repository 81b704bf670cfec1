import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { MAX_MOVED, toDecimal } from '../../../src-shared/amounts.ts';
import type { ReadInvitation } from '../../../src-shared/operator-contract/peering/invitations.ts';
import type { Peer } from '../../../src-shared/operator-contract/peers.ts';
import { readInvitationCode } from '../../../src-shared/typed-input/invitation-code.ts';
import { typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { amountText, plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../../src-shared/words/date-text.ts';
import { AmountInput } from '../../components/forms/amount-input.tsx';
import { Card } from '../../components/page/card.tsx';
import { Page } from '../../components/page/page.tsx';
import { Facts } from '../../components/text/facts.tsx';
import { InertText } from '../../components/text/inert-text.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { BothWays } from './both-ways.tsx';
import { InvitationFailure } from './invitation-failure.tsx';

const words = messages.invitations;

/** Reads a code that was pasted, shows what it says, and accepts it. */
export function AcceptPage() {
  const [code, setCode] = useState('');
  const [peer, setPeer] = useState<Peer>();
  const read = useMutation(queries.invitations.read.mutationOptions());
  if (peer !== undefined) return <BothWays peer={peer} />;
  return (
    <Page up="/peers" title={words.acceptTitle} {...(read.data === undefined && { lead: words.acceptLead })} width="reading">
      {read.data === undefined ? (
        <Paste code={code} reading={read} onCode={setCode} onRead={() => read.mutate({ code })} />
      ) : (
        <Terms code={code} invitation={read.data} onBack={read.reset} onPeer={setPeer} />
      )}
    </Page>
  );
}

interface PasteProps {
  code: string;
  reading: { isPending: boolean; error: Error | null };
  onCode: (code: string) => void;
  onRead: () => void;
}

function Paste({ code, reading, onCode, onRead }: PasteProps) {
  const understood = readInvitationCode(code);
  const fault = understood === 'unknown' ? words.problems.no_code : understood === 'broken' ? words.problems.broken_code : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault === undefined) onRead();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Card>
        <Stack gap="md">
          <Textarea
            label={words.paste}
            description={words.pasteHint}
            value={code}
            onChange={(event) => onCode(event.currentTarget.value)}
            error={code.trim() === '' ? undefined : fault}
            rows={3}
            maxLength={2_000}
            autoComplete="off"
            spellCheck={false}
            disabled={reading.isPending}
            data-autofocus
            required
          />
          <InvitationFailure error={reading.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={reading.isPending} disabled={fault !== undefined}>
              {words.read}
            </Button>
          </Group>
        </Stack>
      </Card>
    </form>
  );
}

interface TermsProps {
  code: string;
  invitation: ReadInvitation;
  onBack: () => void;
  onPeer: (peer: Peer) => void;
}

function Terms({ code, invitation, onBack, onPeer }: TermsProps) {
  const { assetCode, assetScale, theirLimit, introduction: inviter } = invitation;
  const [limit, setLimit] = useState(() => plainNumberText(toDecimal(theirLimit, assetScale)));
  const [name, setName] = useState(inviter);
  const [introduction, setIntroduction] = useState('');
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const accept = useMutation(
    queries.invitations.accept.mutationOptions({
      onSuccess: ({ peer }) => onPeer(peer),
      onSettled: () => report.changed('peers'),
    }),
  );
  const typed = typedAmount(limit, invitation);
  const creditLimit = typed !== undefined && typed <= MAX_MOVED ? typed : undefined;
  const money = (value: bigint) => amountText({ assetCode, assetScale, value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (creditLimit === undefined || name.trim() === '' || introduction.trim() === '') return;
    accept.mutate({ code, terms: { assetCode, assetScale, theirLimit }, creditLimit, name, introduction });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <Offer invitation={invitation} />
        <Card title={words.yours}>
          <Stack gap="md">
            <AmountInput
              label={words.limit}
              description={words.limitHint}
              asset={invitation}
              value={limit}
              onChange={setLimit}
              error={tried && creditLimit === undefined ? words.limitNeeded : undefined}
              disabled={accept.isPending}
              required
            />
            <TextInput
              label={words.name}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={tried && name.trim() === '' ? words.nameNeeded : undefined}
              maxLength={100}
              disabled={accept.isPending}
              required
            />
            <TextInput
              label={words.introduction}
              description={words.introductionTheirs}
              value={introduction}
              onChange={(event) => setIntroduction(event.currentTarget.value)}
              error={tried && introduction.trim() === '' ? words.introductionNeeded : undefined}
              maxLength={100}
              disabled={accept.isPending}
              required
            />
          </Stack>
        </Card>
        {creditLimit !== undefined && <Text>{words.agreed({ credit: money(creditLimit), debt: money(theirLimit) })}</Text>}
        <InvitationFailure error={accept.error} accepts />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onBack} disabled={accept.isPending}>
            {words.other}
          </Button>
          <Button type="submit" loading={accept.isPending}>
            {words.accept}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The words of the node that invites. Its operator wrote them, and nobody vouches for them. */
function Offer({ invitation }: { invitation: ReadInvitation }) {
  const { introduction, origin, assetCode, assetScale, theirLimit, expiresAt, hasAccount } = invitation;
  return (
    <Card title={words.readTitle} accent>
      <Stack gap="md">
        <Facts
          facts={[
            [words.from, <InertText key="from" text={introduction} length={100} />],
            [words.at, <InertText key="at" text={origin} length={300} />],
            [words.currency, assetCode],
            [words.youMayOwe, amountText({ assetCode, assetScale, value: theirLimit })],
            [words.worksUntil, dateTimeText(expiresAt)],
          ]}
        />
        <Text c="dimmed" size="sm">
          {words.atHint}
        </Text>
        {!hasAccount && (
          <Alert color="orange" data-notice>
            {words.noAccount({ currency: assetCode })}
          </Alert>
        )}
      </Stack>
    </Card>
  );
}
