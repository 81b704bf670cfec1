import { Alert, Radio, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Asset, fromDecimal } from '../../src-shared/amounts.ts';
import type { ApprovalRequest } from '../../src-shared/operator-contract/approvals.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { AmountInput } from '../components/forms/amount-input.tsx';
import { queries } from '../transport/operator-client.ts';
import type { TermsAnswer } from './use-decision.ts';

const words = messages.approvals;

export interface Unlimited {
  choice: 'limit' | 'any';
  setChoice: (choice: 'limit' | 'any') => void;
  limit: string;
  setLimit: (limit: string) => void;
  name: string;
  setName: (name: string) => void;
  asset: Asset | undefined;
  /** It is undefined while the choice is not complete. */
  answer: Pick<TermsAnswer, 'debitLimit' | 'unlimitedForAccountNamed'> | undefined;
}

/**
 * The operator's choice for a request without an amount: a limit of their own, or any amount, which they confirm with
 * the account's name.
 */
export function useUnlimited({ unlimited, account }: ApprovalRequest): Unlimited {
  const [choice, setChoice] = useState<'limit' | 'any'>('limit');
  const [limit, setLimit] = useState('');
  const [name, setName] = useState('');
  const accounts = useQuery(queries.accounts.list.queryOptions());
  const asset = accounts.data?.find(({ id }) => id === account?.id);
  const value = asset === undefined ? undefined : fromDecimal(limit, asset.assetScale);
  const answered = (): Unlimited['answer'] => {
    if (!unlimited) return {};
    if (choice === 'limit') return value !== undefined && value > 0n ? { debitLimit: value } : undefined;
    return account !== null && name.trim() === account.name ? { unlimitedForAccountNamed: name.trim() } : undefined;
  };
  return { choice, setChoice, limit, setLimit, name, setName, asset, answer: answered() };
}

export function UnlimitedChoice({ request: { account }, state }: { request: ApprovalRequest; state: Unlimited }) {
  const { choice, asset } = state;
  if (account === null)
    return (
      <Alert color="orange" data-notice>
        {words.noAccount}
      </Alert>
    );
  return (
    <Stack gap="md">
      <Alert color="orange" data-notice icon={<IconAlertTriangle aria-hidden />} title={words.unlimitedTitle}>
        {words.unlimitedWords}
      </Alert>
      <Radio.Group
        aria-label={words.unlimitedTitle}
        value={choice}
        onChange={(value) => state.setChoice(value === 'any' ? 'any' : 'limit')}
      >
        <Stack gap="xs">
          <Radio value="limit" label={words.setLimit} />
          <Radio value="any" label={words.allowAny} />
        </Stack>
      </Radio.Group>
      {choice === 'limit' && asset !== undefined && (
        <AmountInput label={words.limitLabel(asset.assetCode)} asset={asset} value={state.limit} onChange={state.setLimit} />
      )}
      {choice === 'any' && (
        <TextInput
          label={words.accountNameLabel(account.name)}
          value={state.name}
          onChange={(event) => state.setName(event.currentTarget.value)}
          autoComplete="off"
          error={state.name !== '' && !account.name.startsWith(state.name.trim()) ? words.accountNameWrong : undefined}
        />
      )}
    </Stack>
  );
}
