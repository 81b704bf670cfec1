import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ApprovalRequest } from '../../src-shared/operator-contract/approvals.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import classes from './decision.module.css';
import type { Terms } from './terms.tsx';
import { useArmed } from './use-armed.ts';
import type { DecisionState } from './use-decision.ts';

const words = messages.approvals;

/**
 * Denies by default. To approve, the operator needs the code from the page of the person who asks, and time to read:
 * the button is armed only when the request, as it stands now, has been in view for a moment.
 */
export function Decision({ request, terms, state }: { request: ApprovalRequest; terms: Terms; state: DecisionState }) {
  const { shownHash, opened } = request;
  const { busy, wrongCode, error } = state;
  const [code, setCode] = useState('');
  const armed = useArmed(shownHash);
  const codeInput = useRef<HTMLInputElement>(null);
  const denyButton = useRef<HTMLButtonElement>(null);
  useEffect(() => denyButton.current?.focus({ preventScroll: true }), []);

  const ready = armed && opened && code.length === 4 && terms.answer !== undefined && busy === undefined;
  const refused = () => {
    setCode('');
    codeInput.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready && terms.answer !== undefined) state.approve(request, code, terms.answer, refused);
  };
  return (
    <Card>
      <form onSubmit={submit} aria-label={words.decide}>
        <Stack gap="md" className={classes.parts}>
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
              error={wrongCode === undefined ? undefined : words.wrongCode({ left: wrongCode.attemptsLeft })}
            />
          ) : (
            <Text>{words.notOpened}</Text>
          )}
          <Failure error={error} />
          <Group gap="sm" className={classes.buttons}>
            <Button
              ref={denyButton}
              size="md"
              color="gray"
              variant="filled"
              className={classes.deny}
              loading={busy === 'denying'}
              disabled={busy === 'approving'}
              onClick={() => state.deny(request)}
            >
              {words.deny}
            </Button>
            <Button
              type="submit"
              size="md"
              variant="outline"
              classNames={{ root: classes.approve ?? '', label: classes.label ?? '' }}
              loading={busy === 'approving'}
              disabled={!ready}
            >
              {armed ? words.approve : words.arming}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
