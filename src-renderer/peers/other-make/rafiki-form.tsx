import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Asset } from '../../../src-shared/amounts.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { AmountInput } from '../../components/forms/amount-input.tsx';
import { AssetInput } from '../../components/forms/asset-input.tsx';
import { FieldPair } from '../../components/forms/field-pair.tsx';
import { Card } from '../../components/page/card.tsx';
import { Failure } from '../../components/page/failure.tsx';
import { outcomeUnknown } from '../../transport/error-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { EMPTY_DRAFT, type PeerDraft, readDraft } from '../peer-draft.ts';
import { newToken, type Tokens } from './rafiki-calls.ts';

const words = messages.rafiki;
const SOME: Asset = { assetCode: '', assetScale: 2 };

interface RafikiFormProps {
  /** The currency that is chosen at first. */
  initial: Asset | undefined;
  onAdded: (id: string, tokens: Tokens) => void;
}

/** What the operator of the Rafiki node tells, and how far both trust each other. It makes both tokens. */
export function RafikiForm({ initial, onAdded }: RafikiFormProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [ours] = useState(newToken);
  const [asset, setAsset] = useState<Asset | undefined>(initial);
  const [draft, setDraft] = useState<PeerDraft>({ ...EMPTY_DRAFT, name: words.itsName, outgoingToken: ours });
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const add = useMutation(
    queries.peers.add.mutationOptions({
      onSuccess: ({ peer, incomingToken }) => {
        void report.done(messages.peers.added({ name: peer.name }), 'peers');
        onAdded(peer.id, { ours, theirs: incomingToken });
      },
    }),
  );
  const { faults, settings } = readDraft(draft, asset ?? SOME, true);
  const shown = tried ? faults : {};
  const fixed = add.isPending || outcomeUnknown(add.error);
  const change = (changed: Partial<PeerDraft>) => setDraft((before) => ({ ...before, ...changed }));
  const isLimited = draft.debtLimit.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (settings === undefined || asset === undefined || !isLimited) return;
    add.mutate({ requestId, assetCode: asset.assetCode, assetScale: asset.assetScale, ...settings, outgoingToken: ours });
  };
  const text = (key: 'name' | 'ilpAddress' | 'endpoint', label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={draft[key]}
      onChange={(event) => change({ [key]: event.currentTarget.value })}
      error={shown[key]}
      maxLength={key === 'name' ? 100 : 2048}
      autoComplete="off"
      spellCheck={false}
      disabled={fixed}
      required
    />
  );
  const amount = (key: 'creditLimit' | 'debtLimit' | 'maxPacket', label: string, description: string, error?: string) => (
    <AmountInput
      label={label}
      description={description}
      asset={asset ?? SOME}
      value={draft[key]}
      onChange={(value) => change({ [key]: value })}
      error={error ?? shown[key]}
      disabled={fixed}
    />
  );
  return (
    <form onSubmit={submit} noValidate>
      <Card title={words.tell}>
        <Stack gap="md">
          {text('name', messages.peers.name, messages.peers.nameHint)}
          <AssetInput
            initial={initial}
            onChange={setAsset}
            hint={words.currencyHint}
            error={tried && asset === undefined ? messages.welcome.currencyNeeded : undefined}
            disabled={fixed}
          />
          {text('ilpAddress', words.ilpAddress, words.ilpAddressHint)}
          {text('endpoint', words.endpoint, words.endpointHint)}
          <FieldPair>
            {amount('creditLimit', messages.peers.creditLimit, messages.peers.creditLimitHint)}
            {amount(
              'debtLimit',
              messages.peers.debtLimit,
              words.debtLimitHint,
              tried && !isLimited ? messages.peers.limitNeeded : undefined,
            )}
          </FieldPair>
          {amount('maxPacket', messages.peers.maxPacket, messages.peers.maxPacketHint)}
          <Failure error={add.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={add.isPending}>
              {outcomeUnknown(add.error) ? messages.common.tryAgain : words.add}
            </Button>
          </Group>
        </Stack>
      </Card>
    </form>
  );
}
