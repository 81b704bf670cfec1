import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Asset } from '../../../src-shared/amounts.ts';
import type { Account } from '../../../src-shared/operator-contract/accounts.ts';
import { typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { isWalletAddressName, RESERVED_NAMES } from '../../../src-shared/wallet-address-names.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { outcomeUnknown } from '../../transport/error-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { Failure } from '../page/failure.tsx';
import classes from './account-form.module.css';
import { AmountInput, amountFault } from './amount-input.tsx';
import { AssetInput } from './asset-input.tsx';
import { suggestName } from './suggest-name.ts';

const words = messages.welcome;

const nameFault = (name: string): string | undefined => {
  if (isWalletAddressName(name)) return undefined;
  return RESERVED_NAMES.has(name) ? words.addressNameReserved({ name }) : words.addressNameInvalid;
};

/** Makes an account: its public name, its address, its currency and its first balance. */
export function AccountForm({ action, onCreated }: { action: string; onCreated: (account: Account) => void }) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [publicName, setPublicName] = useState('');
  const [ownName, setOwnName] = useState<string>();
  const [asset, setAsset] = useState<Asset>();
  const [opening, setOpening] = useState('');
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const create = useMutation(
    queries.accounts.create.mutationOptions({
      onSuccess: async (account) => {
        onCreated(account);
        await report.done(messages.accounts.created({ name: account.publicName }), 'accounts');
      },
      onError: report.failed,
    }),
  );

  const name = ownName ?? suggestName(publicName);
  const openingBalance = asset === undefined ? undefined : opening.trim() === '' ? 0n : typedAmount(opening, asset);
  const faults = {
    publicName: publicName.trim() === '' ? words.publicNameNeeded : undefined,
    name: nameFault(name),
    asset: asset === undefined ? words.currencyNeeded : undefined,
    opening: asset === undefined ? undefined : amountFault(opening, asset),
  };
  // When the answer was lost, the node may have made the account. Only the very same request may be sent again.
  const fixed = create.isPending || outcomeUnknown(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (asset === undefined || openingBalance === undefined || Object.values(faults).some((fault) => fault !== undefined)) return;
    create.mutate({ requestId, name, publicName: publicName.trim(), ...asset, openingBalance });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput
          label={words.publicName}
          description={words.publicNameHint}
          value={publicName}
          onChange={(event) => setPublicName(event.currentTarget.value)}
          maxLength={100}
          autoComplete="organization"
          error={tried ? faults.publicName : undefined}
          disabled={fixed}
          required
          data-autofocus
        />
        <div>
          <TextInput
            label={words.addressName}
            description={words.addressNameHint}
            value={name}
            onChange={(event) => setOwnName(event.currentTarget.value.toLowerCase())}
            maxLength={64}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={tried || name !== '' ? faults.name : undefined}
            disabled={fixed}
            required
          />
          <AddressPreview name={name} />
        </div>
        <AssetInput onChange={setAsset} error={tried ? faults.asset : undefined} disabled={fixed} />
        <AmountInput
          label={words.openingBalance}
          description={words.openingBalanceHint}
          placeholder={asset === undefined ? words.currencyFirst : '0'}
          asset={asset ?? { assetCode: '', assetScale: 18 }}
          value={opening}
          onChange={setOpening}
          disabled={fixed || asset === undefined}
        />
        <Failure error={create.error} />
        <Group justify="flex-end">
          <Button type="submit" size="md" loading={create.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Shows the future address while its name is typed. The line is there from the start, so that nothing moves. */
function AddressPreview({ name }: { name: string }) {
  const info = useQuery(queries.node.info.queryOptions());
  const origin = info.data?.publicUrl ?? '';
  return (
    <Text size="sm" mt={6} className={classes.preview} aria-live="polite">
      {words.addressPreview}{' '}
      <strong data-testid="address-preview">
        <bdi dir="ltr">
          {origin}/{isWalletAddressName(name) ? name : '…'}
        </bdi>
      </strong>
    </Text>
  );
}
