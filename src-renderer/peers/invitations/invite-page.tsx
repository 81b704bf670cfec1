import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type Asset, MAX_MOVED } from '../../../src-shared/amounts.ts';
import type { Invitation } from '../../../src-shared/operator-contract/peering/invitations.ts';
import { typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../../src-shared/words/date-text.ts';
import { AmountInput } from '../../components/forms/amount-input.tsx';
import { AssetInput } from '../../components/forms/asset-input.tsx';
import { useMainAsset } from '../../components/forms/use-main-asset.ts';
import { Card } from '../../components/page/card.tsx';
import { Failure } from '../../components/page/failure.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Copy } from '../../components/text/copy.tsx';
import { CopyableBlock } from '../../components/text/copyable-block.tsx';
import { outcomeUnknown } from '../../transport/error-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';

const words = messages.invitations;
const SOME: Asset = { assetCode: '', assetScale: 2 };

/** Makes an invitation, then shows its code once. */
export function InvitePage() {
  const main = useMainAsset();
  const [made, setMade] = useState<{ invitation: Invitation; code: string }>();
  if (made !== undefined) return <Code {...made} />;
  return (
    <Page up="/peers" title={words.invite} lead={words.inviteLead} width="reading">
      <Loaded query={main} skeleton={<Skeleton height={360} radius="lg" />}>
        {({ asset }) => <InvitationForm initial={asset} onMade={setMade} />}
      </Loaded>
    </Page>
  );
}

interface InvitationFormProps {
  /** The currency that is chosen at first. */
  initial: Asset | undefined;
  onMade: (made: { invitation: Invitation; code: string }) => void;
}

function InvitationForm({ initial, onMade }: InvitationFormProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [asset, setAsset] = useState(initial);
  const [limit, setLimit] = useState('');
  const [introduction, setIntroduction] = useState('');
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const create = useMutation(
    queries.invitations.create.mutationOptions({
      onSuccess: (made) => {
        void report.changed('peers');
        onMade(made);
      },
    }),
  );
  const typed = typedAmount(limit, asset ?? SOME);
  const creditLimit = typed !== undefined && typed <= MAX_MOVED ? typed : undefined;
  const fixed = create.isPending || outcomeUnknown(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (asset === undefined || creditLimit === undefined || introduction.trim() === '') return;
    create.mutate({ requestId, assetCode: asset.assetCode, assetScale: asset.assetScale, creditLimit, introduction });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Card>
        <Stack gap="md">
          <AssetInput
            initial={initial}
            onChange={setAsset}
            hint={messages.peers.currencyHint}
            error={tried && asset === undefined ? messages.welcome.currencyNeeded : undefined}
            disabled={fixed}
          />
          <AmountInput
            label={words.limit}
            description={words.limitHint}
            asset={asset ?? SOME}
            value={limit}
            onChange={setLimit}
            error={tried && creditLimit === undefined ? words.limitNeeded : undefined}
            disabled={fixed}
            required
          />
          <TextInput
            label={words.introduction}
            description={words.introductionHint}
            value={introduction}
            onChange={(event) => setIntroduction(event.currentTarget.value)}
            error={tried && introduction.trim() === '' ? words.introductionNeeded : undefined}
            maxLength={100}
            disabled={fixed}
            required
          />
          <Failure error={create.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={create.isPending}>
              {outcomeUnknown(create.error) ? messages.common.tryAgain : words.make}
            </Button>
          </Group>
        </Stack>
      </Card>
    </form>
  );
}

function Code({ invitation, code }: { invitation: Invitation; code: string }) {
  const navigate = useNavigate();
  return (
    <Page up="/peers" title={words.codeTitle} width="reading">
      <Card accent>
        <Stack gap="md">
          <Text>
            {words.codeFacts({
              limit: amountText({ ...invitation, value: invitation.creditLimit }),
              until: dateTimeText(invitation.expiresAt),
            })}
          </Text>
          <CopyableBlock value={code} what={words.code} />
          <Alert color="orange" data-notice>
            {words.codeCare}
          </Alert>
          <Group justify="flex-end" gap="sm">
            <Copy value={code} what={words.code} large />
            <Button onClick={() => void navigate({ to: '/peers', replace: true })}>{words.done}</Button>
          </Group>
        </Stack>
      </Card>
    </Page>
  );
}
