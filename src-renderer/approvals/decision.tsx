import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { isDefinedError, ORPCError } from '@orpc/client';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ApprovalRequest } from '../../src-shared/operator-contract/access.ts';
import { Card } from '../components/card.tsx';
import { errorText } from '../error-text.ts';
import { messages } from '../messages.ts';
import { queries } from '../operator-client.ts';
import { useReporting } from '../reporting.ts';
import classes from './decision.module.css';
import { UnlimitedChoice, useUnlimited } from './unlimited.tsx';
import { useArmed } from './use-armed.ts';

const words = messages.approvals;

interface DecisionProps {
  request: ApprovalRequest;
  onDecided: (as: 'approved' | 'denied') => void;
}

/**
 * Deny is what happens by default. Approve needs the code from the page of the person who asks, and time to read: it arms
 * only when the request, as it stands now, has been in view for a moment.
 */
export function Decision({ request, onDecided }: DecisionProps) {
  const { id, shownHash, opened } = request;
  const [code, setCode] = useState('');
  const armed = useArmed(shownHash);
  const unlimited = useUnlimited(request);
  const report = useReporting();
  const codeInput = useRef<HTMLInputElement>(null);
  const denyButton = useRef<HTMLButtonElement>(null);
  useEffect(() => denyButton.current?.focus({ preventScroll: true }), []);

  const deny = useMutation(
    queries.approvals.deny.mutationOptions({
      onSuccess: async () => {
        onDecided('denied');
        await report.done(words.deniedTitle, 'approvals', 'apps');
      },
      onError: report.failed,
    }),
  );
  const approve = useMutation(
    queries.approvals.approve.mutationOptions({
      onSuccess: async () => {
        onDecided('approved');
        await report.done(words.approvedTitle, 'approvals', 'apps');
      },
      onError: () => {
        setCode('');
        codeInput.current?.focus();
      },
    }),
  );
  const busy = approve.isPending || deny.isPending;
  const ready = armed && opened && code.length === 4 && unlimited.answer !== undefined && !busy;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready && unlimited.answer !== undefined) approve.mutate({ id, code, shownHash, ...unlimited.answer });
  };
  return (
    <Card title={words.decide}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {request.unlimited && <UnlimitedChoice request={request} state={unlimited} />}
          {opened ? (
            <TextInput
              ref={codeInput}
              label={words.code}
              description={words.codeHint}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 4))}
              inputMode="numeric"
              autoComplete="off"
              classNames={{ input: classes.code }}
              error={
                isDefinedError(approve.error) && approve.error.code === 'WRONG_CODE'
                  ? words.wrongCode(approve.error.data.attemptsLeft)
                  : undefined
              }
            />
          ) : (
            <Text>{words.notOpened}</Text>
          )}
          <DecisionFailure error={deny.error ?? approve.error} />
          <Group gap="sm" className={classes.buttons}>
            <Button
              ref={denyButton}
              size="md"
              color="gray"
              variant="filled"
              className={classes.deny}
              loading={deny.isPending}
              disabled={approve.isPending}
              onClick={() => deny.mutate({ id })}
            >
              {words.deny}
            </Button>
            <Button type="submit" size="md" variant="outline" className={classes.approve} loading={approve.isPending} disabled={!ready}>
              {armed ? words.approve : words.arming}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** A wrong code is said at its field; everything else here. */
function DecisionFailure({ error }: { error: Error | null }) {
  if (error === null || (error instanceof ORPCError && error.code === 'WRONG_CODE')) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {errorText(error)}
    </Alert>
  );
}
