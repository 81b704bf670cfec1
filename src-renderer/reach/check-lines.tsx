import { Alert, Group, Stack, Text } from '@mantine/core';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { WalletCheck, WalletCheckLine } from '../../src-shared/operator-contract/payments/wallets.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { AnchorLink } from '../components/page/links.tsx';
import { Status, type Tone } from '../components/page/status.tsx';
import { Facts } from '../components/text/facts.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import classes from './reach.module.css';

const words = messages.reach;
const TONES: Readonly<Record<WalletCheckLine['state'], Tone>> = { good: 'good', missing: 'bad', unknown: 'warning', not_tried: 'idle' };

/** What was found out about a wallet, line by line, and what the operator can do about what is missing. */
export function CheckLines({ check, account }: { check: WalletCheck; account: Account }) {
  const { walletAddress, name, asset, lines, example } = check;
  const isWhole = lines.every(({ state }) => state === 'good' || state === 'unknown');
  return (
    <Stack gap="md" mt="lg">
      {walletAddress !== null && (
        <Facts
          facts={[
            [words.wallet, <InertText key="wallet" text={walletAddress} length={160} />],
            [words.name, name === null ? null : <InertText key="name" text={name} length={80} />],
            [words.currency, asset?.assetCode ?? null],
          ]}
        />
      )}
      <ul className={classes.lines} aria-label={words.lines}>
        {lines.map((line, index) => (
          <Line key={line.step} line={line} isNew={lines.findIndex(({ problem }) => problem === line.problem) === index} />
        ))}
      </ul>
      {example !== null && (
        <Text>{words.example({ sent: amountText(example.sent), arrives: amountText(example.arrives), account: account.publicName })}</Text>
      )}
      {isWhole && (
        <Alert color="pine">
          {words.whole}{' '}
          <AnchorLink to="/get-paid" inherit underline="always">
            {words.ask}
          </AnchorLink>
        </Alert>
      )}
    </Stack>
  );
}

/** `isNew`: no line before has told the same problem. */
function Line({ line: { step, state, problem, code }, isNew }: { line: WalletCheckLine; isNew: boolean }) {
  return (
    <li className={classes.line}>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <Text fw={550}>{words.steps[step]}</Text>
        <Status tone={TONES[state]}>{words.states[state]}</Status>
      </Group>
      {problem !== null && isNew && (
        <Text size="sm" c="dimmed">
          {words.problems[problem]}
          {code !== null && ` ${words.code({ code })}`}
        </Text>
      )}
      {step === 'way_back' && state === 'unknown' && (
        <Text size="sm" c="dimmed">
          {words.backUnknown}
        </Text>
      )}
    </li>
  );
}
