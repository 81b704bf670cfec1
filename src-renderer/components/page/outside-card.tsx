import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../../src-shared/words/date-text.ts';
import { type client, queries } from '../../transport/operator-client.ts';
import { Card } from './card.tsx';
import { AnchorLink } from './links.tsx';
import { Loaded } from './loaded.tsx';
import classes from './outside-card.module.css';
import { Status } from './status.tsx';

const words = messages.reach;

/** Says whether customers elsewhere can pay, as far as this node knows it by itself, and whether one has. */
export function OutsideCard() {
  const outside = useQuery(queries.wallets.outside.queryOptions());
  return (
    <Card title={words.outside.title}>
      <Loaded query={outside} skeleton={<Skeleton height={64} />}>
        {(found) => (
          <Stack gap="xs">
            <Group>
              <Finding {...found} />
            </Group>
            <StepsLeft {...found} />
            <Text c="dimmed" size="sm">
              <Advice {...found} />
            </Text>
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

type Found = Awaited<ReturnType<typeof client.wallets.outside>>;

/** The steps to a payment from outside. The first that is not done comes next. */
const STEPS = ['address', 'peer', 'paid'] as const;

/** Which step is missing; undefined when nothing is left. */
function nextStep({ missing, lastPaidAt }: Found): (typeof STEPS)[number] | undefined {
  if (missing === null) return lastPaidAt === null ? 'paid' : undefined;
  return missing === 'public_address' || missing === 'address_unreachable' ? 'address' : 'peer';
}

function Finding(found: Found) {
  if (found.missing !== null) return <Status tone="warning">{words.outside.notYet}</Status>;
  return found.lastPaidAt === null ? (
    <Status tone="busy">{words.outside.untried}</Status>
  ) : (
    <Status tone="good">{words.outside.proven}</Status>
  );
}

/** What is left until somebody from outside has paid. It shows nothing once somebody has and nothing is missing. */
function StepsLeft(found: Found) {
  const next = nextStep(found);
  if (next === undefined) return null;
  const at = STEPS.indexOf(next);
  const stateOf = (step: (typeof STEPS)[number], index: number) => {
    if (index < at || (step === 'paid' && found.lastPaidAt !== null)) return 'done';
    return index === at ? 'next' : 'later';
  };
  return (
    <ol className={classes.steps} aria-label={words.outside.left}>
      {STEPS.map((step, index) => {
        const state = stateOf(step, index);
        return (
          <li key={step}>
            <Group justify="space-between" gap="sm" wrap="nowrap">
              <Text size="sm">{words.outside.steps[step]}</Text>
              <Status tone={TONES[state]}>{words.outside.stepStates[state]}</Status>
            </Group>
          </li>
        );
      })}
    </ol>
  );
}

const TONES = { done: 'good', next: 'warning', later: 'idle' } as const;

/** The pages where the operator does something about what is missing. */
const WHERE = {
  public_address: 'settings',
  address_unreachable: 'health',
  no_common_way: 'peers',
  peer_paused: 'peers',
  peer_limit: 'peers',
  peer_unreachable: 'peers',
} as const satisfies Record<NonNullable<Found['missing']>, string>;

/** What is to be done next, and where. */
function Advice({ missing, lastPaidAt }: Found) {
  if (missing !== null) {
    const where = WHERE[missing];
    return (
      <>
        {words.outside.missing[missing]}{' '}
        <AnchorLink to={`/${where}`} inherit underline="always">
          {words.outside.see[where]}
        </AnchorLink>
      </>
    );
  }
  if (lastPaidAt !== null) return words.outside.lastPaid({ when: dateTimeText(lastPaidAt) });
  return (
    <>
      {words.outside.untriedWords}{' '}
      <AnchorLink to="/get-paid" inherit underline="always">
        {words.outside.getPaid}
      </AnchorLink>
    </>
  );
}
