import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconWorldSearch } from '@tabler/icons-react';
import type { ReachStep } from '../../src-shared/operator-contract/reachability.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { Status, type Tone } from '../components/page/status.tsx';
import classes from './health.module.css';
import { useReach } from './use-reach.ts';

const words = messages.health.reach;
const TONES: Readonly<Record<ReachStep['state'], Tone>> = {
  running: 'busy',
  good: 'good',
  warning: 'warning',
  bad: 'bad',
  skipped: 'idle',
};

/** Checks on demand whether others can reach the node. Each line appears as soon as it is known. */
export function ReachCard() {
  const { steps, state, start, stop } = useReach();
  const running = state === 'running';
  return (
    <Card
      title={words.title}
      aside={
        running ? (
          <Button size="xs" variant="default" onClick={stop} leftSection={<Loader size={14} aria-hidden />}>
            {words.stop}
          </Button>
        ) : (
          <Button size="xs" leftSection={<IconWorldSearch size={16} aria-hidden />} onClick={start}>
            {state === 'idle' ? words.start : words.again}
          </Button>
        )
      }
    >
      <Stack gap="md">
        <Text c="dimmed">{words.lead}</Text>
        {steps.length > 0 && (
          <ul className={classes.list} aria-label={words.list} aria-busy={running}>
            {steps.map((step) => (
              <Step key={step.name} step={step} />
            ))}
          </ul>
        )}
        <div role="status">{state === 'done' && <Outcome steps={steps} />}</div>
        {state === 'failed' && (
          <Alert color="red" role="alert">
            {words.failed}
          </Alert>
        )}
      </Stack>
    </Card>
  );
}

function Outcome({ steps }: { steps: readonly ReachStep[] }) {
  const isGood = steps.every(({ state }) => state === 'good');
  if (isGood) return <Alert>{words.allGood}</Alert>;
  return (
    <Alert data-notice color="orange">
      {words.someWrong}
    </Alert>
  );
}

function Step({ step: { name, state, finding } }: { step: ReachStep }) {
  const text = finding && words.findingText(finding);
  return (
    <li className={classes.item}>
      <Group justify="space-between" gap="sm">
        <Text fw={550}>{words.steps[name]}</Text>
        <Status tone={TONES[state]}>{words.stepStates[state]}</Status>
      </Group>
      {text !== null && (
        <Text size="sm" c="dimmed">
          {text.found}
        </Text>
      )}
      {text !== null && text.next !== null && (
        <p className={classes.next}>
          <strong>{words.next}</strong> {text.next}
        </p>
      )}
    </li>
  );
}
