import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Grant, Token } from '../../src-shared/operator-contract/apps.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { TokenState } from './grant-state.tsx';
import classes from './tokens.module.css';

const words = messages.apps;

/** The tokens of a grant, with the two ways to end them. */
export function Tokens({ grant }: { grant: Grant }) {
  return (
    <Card title={words.tokens}>
      <Text c="dimmed" size="sm" mb="sm">
        {words.tokensLead}
      </Text>
      {grant.tokens.length === 0 ? (
        <Text>{words.noTokens}</Text>
      ) : (
        <ul className={classes.tokens}>
          {grant.tokens.map((token) => (
            <li key={token.id}>
              <TokenLine token={token} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The part of an id that tells tokens apart. It is no part of a token's value. */
const shortId = (id: string): string => id.slice(-6);

function TokenLine({ token }: { token: Token }) {
  const now = useNodeTime(10_000);
  const { id, state, createdAt, expiresAt, awaitsRotation } = token;
  const usable = state === 'active' || state === 'expired';
  const expiry = expiresAt > now ? words.expires({ when: whenText(expiresAt, now) }) : words.expired({ when: whenText(expiresAt, now) });
  return (
    <div className={classes.token} data-ended={!usable || undefined}>
      <div>
        <Group gap="sm">
          <Text fw={550}>{words.token({ id: shortId(id) })}</Text>
          <TokenState token={token} />
        </Group>
        <Text size="sm" c="dimmed">
          {words.created({ when: whenText(createdAt, now) })}, {expiry}
        </Text>
        {usable && awaitsRotation && (
          <Text size="sm" c="dimmed">
            {words.awaitsRotation}
          </Text>
        )}
      </div>
      {usable && (
        <Allowed to="apps.revokeToken">
          <TokenActions token={token} />
        </Allowed>
      )}
    </div>
  );
}

function TokenActions({ token: { id, awaitsRotation } }: { token: Token }) {
  const [asking, setAsking] = useState<'rotate' | 'revoke'>();
  const report = useReporting();
  const ended = (said: string) => async () => {
    setAsking(undefined);
    await report.done(said, 'apps');
  };
  const rotate = useMutation(queries.apps.rotateToken.mutationOptions({ onSuccess: ended(words.rotated), onError: report.failed }));
  const revoke = useMutation(queries.apps.revokeToken.mutationOptions({ onSuccess: ended(words.tokenRevoked), onError: report.failed }));
  const close = () => setAsking(undefined);
  return (
    <Group gap="xs">
      {!awaitsRotation && (
        <Button size="xs" variant="default" onClick={() => setAsking('rotate')} aria-label={words.rotateOf({ id: shortId(id) })}>
          {words.rotate}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setAsking('revoke')} aria-label={words.revokeTokenOf({ id: shortId(id) })}>
        {words.revokeToken}
      </Button>
      <Confirm
        opened={asking === 'rotate'}
        onClose={close}
        title={words.rotateTitle}
        words={words.rotateWords}
        action={words.rotateConfirm}
        busy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate({ id })}
      />
      <Confirm
        opened={asking === 'revoke'}
        onClose={close}
        title={words.revokeTokenTitle}
        words={words.revokeTokenWords}
        action={words.revokeTokenConfirm}
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate({ id })}
      />
    </Group>
  );
}
