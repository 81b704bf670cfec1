import { Button, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Grant } from '../../src-shared/operator-contract/apps.ts';
import { spends } from '../../src-shared/spending-right.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../src-shared/words/date-text.ts';
import { plain } from '../../src-shared/words/words.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { BudgetMeter } from '../components/money/budget-meter.tsx';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { AnchorLink, ButtonLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { Split } from '../components/page/split.tsx';
import { useWaitingSubjects, WaitingActs } from '../components/second-person/waiting-acts.tsx';
import { RightsTable } from '../components/text/exact-request.tsx';
import { Facts } from '../components/text/facts.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { Sentence } from '../components/text/sentence.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { AppTrust } from './app-trust.tsx';
import { ClientName } from './client-name.tsx';
import { GrantState, isLiving, stageOf } from './grant-state.tsx';
import { Tokens } from './tokens.tsx';

const route = getRouteApi('/desk/apps/$grantId');
const words = messages.apps;

/** Shows one grant of one app: what it allows, what the app has used, its tokens, and the ways to end it. */
export function GrantPage() {
  const { grantId } = route.useParams();
  const grant = useQuery(queries.apps.grant.queryOptions({ input: { id: grantId } }));
  return (
    <Loaded query={grant} skeleton={<GrantSkeleton />}>
      {(data) => (
        <Page
          up="/apps"
          title={<InertText text={messages.consent.clientName(data.client)} expands={false} />}
          actions={<GrantActions grant={data} />}
        >
          {data.state === 'frozen' && <AllowAgain grant={data} />}
          <Split
            main={
              <>
                <Card title={words.stages[stageOf(data)].rights}>
                  <List spacing={6} mb="md">
                    {messages.consent.rights(data.access).map((phrase) => (
                      <List.Item key={plain(phrase)}>
                        <Sentence words={phrase} />
                      </List.Item>
                    ))}
                  </List>
                  <RightsTable access={data.access} subject={null} />
                </Card>
                <Asked grant={data} />
                <Tokens grant={data} />
              </>
            }
            side={
              <>
                <Card title={words.limits}>
                  <Budgets grant={data} />
                </Card>
                <Card title={words.facts}>
                  <GrantFacts grant={data} />
                </Card>
                <AppTrust grantId={data.id} />
              </>
            }
          />
        </Page>
      )}
    </Loaded>
  );
}

/** Shows what the app asked for, where the operator has allowed less. */
function Asked({ grant: { access, asked } }: { grant: Grant }) {
  const terms = (rights: Grant['access']) => rights.map((right) => plain(messages.consent.rightsListed([right]))).join('\n');
  if (terms(access) === terms(asked)) return null;
  return (
    <Card title={words.asked}>
      <Text c="dimmed" mb="sm">
        {words.askedLead}
      </Text>
      <RightsTable access={asked} subject={null} />
    </Card>
  );
}

function Budgets({ grant }: { grant: Grant }) {
  const { access, budgets } = grant;
  if (budgets.length === 0) return <Text c="dimmed">{access.some(spends) ? words.stages[stageOf(grant)].noBudgets : words.noLimits}</Text>;
  return (
    <Stack gap="lg">
      {budgets.map((budget) => (
        <BudgetMeter key={budget.kind} budget={budget} detailed />
      ))}
    </Stack>
  );
}

function GrantFacts({ grant }: { grant: Grant }) {
  const { client, state, createdAt, decidedAt, expiresAt, lastUsedAt, interactive, payments } = grant;
  const stage = stageOf(grant);
  const made =
    payments === 0 ? (
      words.payments({ count: 0 })
    ) : (
      <AnchorLink to="/payments" search={{ text: client.id }}>
        {words.payments({ count: payments })}
      </AnchorLink>
    );
  return (
    <Facts
      facts={[
        [words.fact.app, <ClientName key="client" client={client} />],
        [words.fact.state, <GrantState key="state" state={state} />],
        [words.fact.approvedBy, stage === 'allowed' || stage === 'ended' ? (interactive ? words.byYou : words.byRule) : null],
        [words.fact.asked, dateTimeText(createdAt)],
        [words.fact.decided, decidedAt && dateTimeText(decidedAt)],
        [
          state === 'expired' ? words.fact.ended : words.fact.ends,
          expiresAt === null ? words.stages[stage].noEnd : dateTimeText(expiresAt),
        ],
        [words.fact.lastUsed, lastUsedAt === null ? words.notUsed : dateTimeText(lastUsedAt)],
        [words.fact.payments, made],
      ]}
    />
  );
}

/** Says why a grant does not count after a restore, and lets the operator allow it again. */
function AllowAgain({ grant }: { grant: Grant }) {
  const [asking, { open, close }] = useDisclosure(false);
  const waits = useWaitingSubjects().has(grant.id);
  const report = useReporting();
  const allow = useMutation(
    queries.apps.allowAgain.mutationOptions({
      onSuccess: async () => {
        close();
        await report.done(words.allowedAgain, 'apps');
      },
      onError: report.failed,
    }),
  );
  return (
    <>
      <Allowed to="waiting.list">
        <WaitingActs subject={grant.id} />
      </Allowed>
      <Card title={words.frozen}>
        <Text>{words.frozenWords}</Text>
        {!waits && (
          <Allowed to="apps.allowAgain">
            <Button onClick={open} mt="md">
              {words.allowAgain}
            </Button>
          </Allowed>
        )}
        <Confirm
          opened={asking}
          onClose={close}
          title={words.allowAgainTitle}
          words={words.allowAgainWords({ client: messages.consent.clientName(grant.client) })}
          action={words.allowAgain}
          busy={allow.isPending}
          error={allow.error}
          onConfirm={() => allow.mutate({ id: grant.id })}
        />
      </Card>
    </>
  );
}

/** A request is decided on its own page; what was allowed can be revoked. */
const GrantActions = ({ grant }: { grant: Grant }) => (
  <Group gap="sm">
    {grant.state === 'pending' && (
      <Allowed to="approvals.approve">
        <ButtonLink to="/approvals/$id" params={{ id: grant.id }}>
          {words.decide}
        </ButtonLink>
      </Allowed>
    )}
    <Allowed to="apps.revokeGrant">
      <RevokeGrant grant={grant} />
    </Allowed>
  </Group>
);

function RevokeGrant({ grant }: { grant: Grant }) {
  const [asking, { open, close }] = useDisclosure(false);
  const report = useReporting();
  const revoke = useMutation(
    queries.apps.revokeGrant.mutationOptions({
      onSuccess: async () => {
        close();
        await report.done(words.grantRevoked, 'apps', 'approvals');
      },
      onError: report.failed,
    }),
  );
  if (!isLiving(grant)) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        {words.revokeGrant}
      </Button>
      <Confirm
        opened={asking}
        onClose={close}
        title={words.revokeGrantTitle}
        words={words.revokeGrantWords({ client: messages.consent.clientName(grant.client) })}
        action={words.revokeGrantConfirm}
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate({ id: grant.id })}
      />
    </>
  );
}

function GrantSkeleton() {
  return (
    <Page up="/apps" title={<Skeleton height={26} width={240} my={3} />}>
      <Split
        main={
          <>
            <Skeleton height={260} radius="lg" />
            <Skeleton height={220} radius="lg" />
          </>
        }
        side={<Skeleton height={380} radius="lg" />}
      />
    </Page>
  );
}
