import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ConnectionStep, PeerSteps } from '../../../src-shared/operator-contract/peers.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../../src-shared/words/date-text.ts';
import { peerTestText } from '../../../src-shared/words/peer-test.ts';
import { Card } from '../../components/page/card.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Status, type Tone } from '../../components/page/status.tsx';
import { queries } from '../../transport/operator-client.ts';
import classes from './connection-steps.module.css';

const words = messages.rafiki;
const TONES: Readonly<Record<ConnectionStep['state'], Tone>> = { good: 'good', missing: 'bad', unknown: 'busy', not_tried: 'idle' };

/** Looks how far the connection has come: when the page opens, when something about a peer changes, and when asked. */
export function ConnectionSteps({ id }: { id: string }) {
  const found = useQuery(queries.peers.steps.queryOptions({ input: { id } }));
  return (
    <Card title={words.stepsTitle}>
      <Stack gap="md">
        <Text c="dimmed" size="sm">
          {words.stepsLead}
        </Text>
        <Loaded query={found} skeleton={<Skeleton height={220} />}>
          {(data) => (
            <>
              <ul className={classes.steps} aria-label={words.steps}>
                {data.steps.map((step) => (
                  <Step key={step.step} step={step} found={data} />
                ))}
              </ul>
              {data.steps.every(({ state }) => state === 'good') && <Alert color="pine">{words.allGood}</Alert>}
            </>
          )}
        </Loaded>
        <Group justify="flex-end">
          <Button variant="default" loading={found.isFetching} onClick={() => void found.refetch()}>
            {words.lookAgain}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

function Step({ step: { step, state, problem }, found }: { step: ConnectionStep; found: PeerSteps }) {
  const advice = adviceOf({ step, state, problem }, found);
  return (
    <li className={classes.step}>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <Text fw={550}>{words.stepNames[step]}</Text>
        <Status tone={TONES[state]}>{words.stepStates[state]}</Status>
      </Group>
      {advice !== undefined && (
        <Text size="sm" c="dimmed">
          {advice}
        </Text>
      )}
    </li>
  );
}

/** What was found at a step, or what to do about it. */
function adviceOf({ step, state, problem }: ConnectionStep, { test, arrivedAt }: PeerSteps): string | undefined {
  if (step === 'arrived') return arrivedAt === null ? words.noPacketYet : words.arrivedAt({ when: dateTimeText(arrivedAt) });
  if (problem !== undefined) return words.addressProblems[problem];
  return state === 'missing' ? peerTestText(test) : undefined;
}
