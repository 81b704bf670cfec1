import { Alert, Radio, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Asset, toDecimal } from '../../src-shared/amounts.ts';
import type { ApprovalRequest } from '../../src-shared/operator-contract/approvals.ts';
import { spendsUnbounded, withLimits } from '../../src-shared/spending-right.ts';
import { typedAmount } from '../../src-shared/typed-input/typed-amount.ts';
import { amountText, plainNumberText } from '../../src-shared/words/amount-text.ts';
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
  /** What is wrong with the limit, once one is typed. */
  limitFault: string | undefined;
  /** It is undefined while the choice is not complete. */
  answer: Pick<TermsAnswer, 'debitLimit' | 'unlimitedForAccountNamed'> | undefined;
}

/**
 * The operator's choice for a request that bounds nothing: a limit of their own, or any amount, which they confirm with
 * the account's name.
 */
export function useUnlimited({ access, unlimited, account, suggestedLimit }: ApprovalRequest): Unlimited {
  const [choice, setChoice] = useState<'limit' | 'any'>('limit');
  const [limit, setLimit] = useState(
    suggestedLimit === null ? '' : plainNumberText(toDecimal(suggestedLimit.value, suggestedLimit.assetScale)),
  );
  const [name, setName] = useState('');
  const paying = useQuery({ ...queries.accounts.get.queryOptions({ input: { id: account?.id ?? '' } }), enabled: account !== null });
  const asset = paying.data;
  const value = asset === undefined ? undefined : typedAmount(limit, asset);
  const isNone = asset !== undefined && value !== undefined && spendsUnbounded(withLimits(access, { debit: { ...asset, value } }));
  const answered = (): Unlimited['answer'] => {
    if (!unlimited) return {};
    if (choice === 'limit') return value !== undefined && value > 0n && !isNone ? { debitLimit: value } : undefined;
    return account !== null && name.trim() === account.name ? { unlimitedForAccountNamed: name.trim() } : undefined;
  };
  const limitFault = isNone ? words.limitIsNone : undefined;
  return { choice, setChoice, limit, setLimit, name, setName, asset, limitFault, answer: answered() };
}

export function UnlimitedChoice({ request, state }: { request: ApprovalRequest; state: Unlimited }) {
  const { account, suggestedLimit } = request;
  const { choice, asset } = state;
  if (account === null)
    return (
      <Alert color="orange" data-notice>
        {words.noAccount}
      </Alert>
    );
  return (
    <Stack gap="md">
      <Alert color="orange" data-notice icon={<IconAlertTriangle aria-hidden />} title={words.unlimitedTitle(request)}>
        {words.unlimitedWords(request)}
      </Alert>
      <Radio.Group
        aria-label={words.unlimitedTitle(request)}
        value={choice}
        onChange={(value) => state.setChoice(value === 'any' ? 'any' : 'limit')}
      >
        <Stack gap="xs">
          <Radio value="limit" label={words.setLimit} />
          <Radio value="any" label={words.allowAny} />
        </Stack>
      </Radio.Group>
      {choice === 'limit' && asset !== undefined && (
        <AmountInput
          label={words.limitLabel({ code: asset.assetCode })}
          description={[
            words.limitRepeats(request),
            ...(suggestedLimit === null ? [] : [words.suggested({ amount: amountText(suggestedLimit) })]),
          ].join(' ')}
          asset={asset}
          value={state.limit}
          onChange={state.setLimit}
          error={state.limitFault}
        />
      )}
      {choice === 'any' && (
        <TextInput
          label={words.accountNameLabel({ name: account.name })}
          value={state.name}
          onChange={(event) => state.setName(event.currentTarget.value)}
          autoComplete="off"
          error={state.name !== '' && !account.name.startsWith(state.name.trim()) ? words.accountNameWrong : undefined}
        />
      )}
    </Stack>
  );
}
