import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Asset } from '../../src-shared/amounts.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { AssetInput } from '../components/forms/asset-input.tsx';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { Page } from '../components/page/page.tsx';
import { outcomeUnknown } from '../transport/error-text.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { GiveThem } from './give-them.tsx';
import { EMPTY_DRAFT, type PeerDraft, readDraft } from './peer-draft.ts';
import { FurtherFields, LimitFields, TheirFields } from './peer-fields.tsx';

const words = messages.peers;
const SOME: Asset = { assetCode: '', assetScale: 2 };

/** Adds a peer, then shows once what the peer's operator needs. */
export function NewPeerPage() {
  const [requestId] = useState(() => crypto.randomUUID());
  const [asset, setAsset] = useState<Asset>();
  const [draft, setDraft] = useState<PeerDraft>(EMPTY_DRAFT);
  const [tried, setTried] = useState(false);
  const navigate = useNavigate();
  const report = useReporting();
  const add = useMutation(
    queries.peers.add.mutationOptions({ onSuccess: ({ peer }) => report.done(words.added({ name: peer.name }), 'peers') }),
  );
  const { faults, settings } = readDraft(draft, asset ?? SOME, true);
  const fixed = add.isPending || outcomeUnknown(add.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (settings === undefined || asset === undefined) return;
    add.mutate({
      requestId,
      assetCode: asset.assetCode,
      assetScale: asset.assetScale,
      ...settings,
      outgoingToken: draft.outgoingToken.trim(),
    });
  };
  if (add.data !== undefined) {
    const { peer, incomingToken } = add.data;
    return (
      <Page up="/peers" title={words.added({ name: peer.name })} width="reading">
        <GiveThem token={incomingToken} onDone={() => void navigate({ to: '/peers/$id', params: { id: peer.id }, replace: true })} />
      </Page>
    );
  }
  const fields = {
    draft,
    faults: tried ? faults : {},
    disabled: fixed,
    onChange: (change: Partial<PeerDraft>) => setDraft((before) => ({ ...before, ...change })),
  };
  return (
    <Page up="/peers" title={words.newTitle} lead={words.newLead} width="reading">
      <form onSubmit={submit} noValidate>
        <Stack gap="lg">
          <Card title={words.theirs}>
            <Stack gap="md">
              <TextInput
                label={words.name}
                description={words.nameHint}
                value={draft.name}
                onChange={(event) => fields.onChange({ name: event.currentTarget.value })}
                error={fields.faults.name}
                maxLength={100}
                disabled={fixed}
                required
              />
              <AssetInput
                onChange={setAsset}
                hint={words.currencyHint}
                error={tried && asset === undefined ? messages.welcome.currencyNeeded : undefined}
                disabled={fixed}
              />
              <TheirFields {...fields} keepsToken={false} />
            </Stack>
          </Card>
          <Card title={words.trust}>
            <LimitFields {...fields} asset={asset ?? SOME} />
          </Card>
          <FurtherFields {...fields} asset={asset ?? SOME} />
          <Failure error={add.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={add.isPending}>
              {outcomeUnknown(add.error) ? messages.common.tryAgain : words.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
