import { Alert, Button, Group, List, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { ORPCError } from '@orpc/client';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { BackupContent } from '../../src-shared/operator-contract/restore.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText, distanceText } from '../../src-shared/words/date-text.ts';
import { useSecondsLeft } from '../components/forms/use-seconds-left.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { Facts } from '../components/text/facts.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { lockState } from '../transport/lock-state.ts';
import { useNodeTime } from '../transport/node-clock.ts';
import { client, onDesktop, queries } from '../transport/operator-client.ts';
import { isAboutPassphrase, secondsIn } from '../transport/passphrase-error.ts';
import { comeBackWith } from '../transport/session.ts';
import { useStateCell } from '../transport/state-cell.ts';
import classes from './restore.module.css';

const words = messages.restore;

interface ConfirmStepProps {
  id: string;
  content: BackupContent;
  onBack: () => void;
}

/** Shows the content of the backup and the effect of restoring it, before it takes the node's place. */
export function ConfirmStep({ id, content, onBack }: ConfirmStepProps) {
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const lock = useStateCell(lockState);
  const [lockPassphrase, setLockPassphrase] = useState('');
  const [secondsLeft, waitFor] = useSecondsLeft(0);
  const navigate = useNavigate();
  const info = useQuery(queries.node.info.queryOptions());
  const overview = useQuery(queries.node.overview.queryOptions());
  const underWay = overview.data?.paymentsUnderWay ?? 0;
  const wait = () => void navigate({ to: '/restored', search: { id }, replace: true });
  const discard = useMutation(queries.restore.discard.mutationOptions({ onSettled: onBack }));
  const start = useMutation({
    mutationFn: async () => {
      // The restored node knows no session. With this secret the page signs in again by itself.
      if (!onDesktop()) comeBackWith(content.returnSecret);
      return await client.restore.start({ id, confirm: 'restore', ...(lockPassphrase !== '' && { lockPassphrase }) });
    },
    onSuccess: () => wait(),
    onError: (error) => {
      // When there is no answer, the node may have started already. The next page finds out.
      if (error instanceof ORPCError) comeBackWith(undefined);
      else wait();
      if (isAboutPassphrase(error)) waitFor(secondsIn(error));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (typed.trim().toLowerCase() === words.word && !isPassphraseMissing && secondsLeft === 0) start.mutate();
  };
  const isPassphraseMissing = lock?.protected === true && lockPassphrase === '';
  const wrong = isAboutPassphrase(start.error)
    ? secondsLeft > 0
      ? messages.lock.wait({ seconds: secondsLeft })
      : messages.lock.wrong
    : undefined;
  const moves = content.publicUrl !== null && info.data !== undefined && info.data.publicUrl !== content.publicUrl;
  return (
    <>
      <Card title={words.inside}>
        <Content content={content} />
      </Card>
      <Card title={words.replaceTitle}>
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <List spacing="xs" className={classes.steps}>
              {words.replaces.map((line) => (
                <List.Item key={line}>{line}</List.Item>
              ))}
            </List>
            {moves && <Alert data-notice>{words.newAddress({ address: info.data.publicUrl })}</Alert>}
            {underWay > 0 && (
              <Alert color="orange" data-notice icon={<IconAlertTriangle aria-hidden />}>
                {words.underWay({ count: underWay })}
              </Alert>
            )}
            <TextInput
              label={words.type({ word: words.word })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              error={tried && typed.trim().toLowerCase() !== words.word ? words.typed({ word: words.word }) : undefined}
              autoComplete="off"
              spellCheck={false}
              maxLength={20}
              disabled={start.isPending}
            />
            {lock?.protected === true && (
              <PasswordInput
                label={words.lockPassphrase}
                description={words.lockPassphraseHint}
                value={lockPassphrase}
                onChange={(event) => setLockPassphrase(event.currentTarget.value)}
                error={wrong ?? (tried && isPassphraseMissing ? messages.lock.card.currentNeeded : undefined)}
                maxLength={1024}
                autoComplete="current-password"
                disabled={start.isPending}
                visibilityToggleButtonProps={{ 'aria-label': messages.common.showPassword }}
              />
            )}
            <Failure error={isAboutPassphrase(start.error) ? null : start.error} />
            <Group gap="sm">
              <Button type="submit" color="red" loading={start.isPending} disabled={secondsLeft > 0}>
                {words.start}
              </Button>
              <Button variant="default" onClick={() => discard.mutate({})} disabled={start.isPending}>
                {words.another}
              </Button>
            </Group>
          </Stack>
        </form>
      </Card>
    </>
  );
}

function Content({ content: { madeAt, version, publicUrl, payments, accounts } }: { content: BackupContent }) {
  const now = useNodeTime(60_000);
  return (
    <Facts
      facts={[
        [words.made, words.madeWords({ when: dateTimeText(madeAt), ago: distanceText(madeAt, now) })],
        [
          words.accounts,
          accounts.length === 0 ? (
            words.noAccounts
          ) : (
            <ul key="accounts" className={classes.accounts}>
              {accounts.map((account) => (
                <li key={account.name} className={classes.account}>
                  <InertText text={account.publicName} expands={false} length={40} />
                  <span className={classes.amount}>
                    {amountText({ ...account, value: account.balance })}
                    {account.reserved > 0n && (
                      <Text span size="sm" c="dimmed">
                        {` · ${words.reserved({ amount: amountText({ ...account, value: account.reserved }) })}`}
                      </Text>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          ),
        ],
        [words.payments, words.paymentsWords({ count: payments })],
        [words.address, publicUrl === null ? undefined : <InertText key="url" text={publicUrl} />],
        [words.by, version],
      ]}
    />
  );
}
