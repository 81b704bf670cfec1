import { Badge, Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PinBrowser } from '../../../src-shared/operator-contract/console/ways.ts';
import { namesOfBrowser } from '../../../src-shared/words/console/browser-name.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText, distanceText } from '../../../src-shared/words/date-text.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { Allowed } from '../../components/page/allowed.tsx';
import { askAfter, setAskAfter } from '../../components/sign-in/ask-after.ts';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { handOver } from '../../transport/session.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { IDLE_CHOICES, idleChoices } from '../idle-choices.ts';
import classes from '../settings.module.css';
import { PinDialog } from './pin-dialog.tsx';

const words = messages.ways.pin;
/** The page writes “last used” anew at this interval, in milliseconds. */
const EVERY_MS = 30_000;

interface Pin {
  setAt: Date | null;
  maySetUntil: Date | null;
  browsers: readonly PinBrowser[];
}

/** The PIN of the person at this page, and the browsers in which it works. */
export function PinPart({ pin: { setAt, maySetUntil, browsers } }: { pin: Pin }) {
  const now = useNodeTime(EVERY_MS);
  const [asking, setAsking] = useState<'set' | 'remove'>();
  const report = useReporting();
  const close = () => setAsking(undefined);
  const removed = async () => {
    close();
    await report.done(words.removed, 'people');
  };
  const remove = useMutation(queries.ways.removePin.mutationOptions({ onSuccess: removed, onError: report.failed }));
  const again = useMutation({ mutationFn: handOver, onError: report.failed });
  const isFresh = maySetUntil !== null && now.getTime() < maySetUntil.getTime();
  const action = setAt === null ? words.set : words.replace;
  return (
    <Stack gap="sm" className={classes.schedule}>
      <Title order={3} className={classes.heading}>
        {words.title}
      </Title>
      <Text c="dimmed">{words.lead}</Text>
      {setAt !== null && <Text>{words.have({ when: dateTimeText(setAt) })}</Text>}
      <Allowed to="ways.setPin">{!isFresh && <Text size="sm">{words.signInFirst}</Text>}</Allowed>
      <Group gap="xs">
        <Allowed to="ways.setPin">
          {isFresh ? (
            <Button variant="default" onClick={() => setAsking('set')}>
              {action}
            </Button>
          ) : (
            <Button variant="default" onClick={() => again.mutate()} loading={again.isPending}>
              {words.signInAgain}
            </Button>
          )}
        </Allowed>
        {setAt !== null && (
          <Button variant="default" onClick={() => setAsking('remove')}>
            {words.remove}
          </Button>
        )}
      </Group>
      {setAt !== null && browsers.length > 0 && (
        <>
          <Text size="sm">{words.where}</Text>
          <ul className={classes.browsers}>
            {browsers.map((browser) => (
              <BrowserLine key={browser.id} browser={browser} now={now} />
            ))}
          </ul>
        </>
      )}
      <AskAfter />
      {asking === 'set' && <PinDialog title={action} onClose={close} />}
      <Confirm
        opened={asking === 'remove'}
        onClose={close}
        title={words.removeTitle}
        words={words.removeWords}
        action={words.remove}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({})}
      />
    </Stack>
  );
}

/** The choice of how long nobody uses this browser before it asks who is there. */
function AskAfter() {
  const minutes = useStateCell(askAfter);
  return (
    <Select
      label={words.askAfter}
      description={words.askAfterHint}
      data={idleChoices(minutes)}
      value={minutes === null ? IDLE_CHOICES.never : String(minutes)}
      onChange={(value) => setAskAfter(value === IDLE_CHOICES.never ? null : Number(value))}
      allowDeselect={false}
    />
  );
}

/** A browser in which the person may take over, which they end in one click. */
function BrowserLine({ browser: { id, userAgent, signedInAt, lastUsedAt, isPinOff, isThisOne }, now }: { browser: PinBrowser; now: Date }) {
  const report = useReporting();
  const name = messages.lock.browsers.name(namesOfBrowser(userAgent));
  const onSuccess = () => report.done(words.forgotten({ browser: name }), 'people');
  const forget = useMutation(queries.ways.forgetBrowser.mutationOptions({ onSuccess, onError: report.failed }));
  return (
    <li>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <div>
          <Group gap="xs">
            <Text fw={500}>{name}</Text>
            {isThisOne && (
              <Badge variant="light" tt="none">
                {messages.lock.browsers.thisOne}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {words.signedIn({ lastUsed: distanceText(lastUsedAt, now), signedIn: dateTimeText(signedInAt) })}
          </Text>
          {isPinOff && <Text size="sm">{words.off}</Text>}
        </div>
        <Button
          size="xs"
          variant="default"
          flex="none"
          aria-label={words.forgetNamed({ browser: name })}
          onClick={() => forget.mutate({ id })}
          loading={forget.isPending}
        >
          {words.forget}
        </Button>
      </Group>
    </li>
  );
}
