import { Alert, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconClockOff, type TablerIcon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ApprovalRequest } from '../../src-shared/operator-contract/approvals.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { timeText } from '../../src-shared/words/date-text.ts';
import { hostOf } from '../../src-shared/words/inert-text.ts';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import { LoadFailed } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { WaitingActs } from '../components/second-person/waiting-acts.tsx';
import { ExactRequest } from '../components/text/exact-request.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import classes from './approval-page.module.css';
import { ConsentLines } from './consent-lines.tsx';
import { Decision } from './decision.tsx';
import { TermsChoice, useTerms } from './terms.tsx';
import { type Decided, type DecisionState, useDecision } from './use-decision.ts';

const route = getRouteApi('/desk/approvals/$id');
const words = messages.approvals;

/** Shows one grant request: what is asked line by line, the exact limits, and the decision. */
export function ApprovalPage() {
  const { id } = route.useParams();
  // State belongs to one request. With another id the screen starts again, with nothing typed and nothing armed.
  return <OneRequest key={id} id={id} />;
}

function OneRequest({ id }: { id: string }) {
  const decision = useDecision();
  // While the request is being decided and afterwards, it is not read again, because it is about to be gone.
  const enabled = decision.busy === undefined && decision.decided === undefined;
  const found = useQuery(queries.approvals.get.queryOptions({ input: { id }, enabled }));
  const now = useNodeTime(1000);

  if (decision.decided !== undefined) return <WasDecided {...decision.decided} />;
  if (found.error !== null && !('code' in found.error && found.error.code === 'NOT_FOUND')) {
    return <LoadFailed error={found.error} onRetry={() => void found.refetch()} />;
  }
  if (found.error !== null || (found.data !== undefined && found.data.lapsesAt <= now)) return <Over request={found.data} now={now} />;
  if (found.data === undefined) return <RequestSkeleton />;

  return <Waiting request={found.data} decision={decision} now={now} />;
}

function Waiting({ request, decision, now }: { request: ApprovalRequest; decision: DecisionState; now: Date }) {
  const terms = useTerms(request);
  return (
    <Page up="/approvals" title={words.detailTitle}>
      <Allowed to="waiting.list">
        <WaitingActs subject={request.id} />
      </Allowed>
      <div className={classes.request}>
        <div className={classes.asked}>
          <Card>
            <Stack gap="md">
              <ConsentLines lines={messages.consent.asked(request)} data-testid="consent-lines" />
              <Allowed to="approvals.approve">
                <TermsChoice request={request} terms={terms} />
              </Allowed>
            </Stack>
          </Card>
          {terms.granted && (
            <Card title={messages.consent.byYourTerms}>
              <div role="status">
                <ConsentLines
                  lines={messages.consent.allowed({ ...request, access: terms.granted.access }, terms.granted.expiresAt)}
                  data-testid="granted-lines"
                />
              </div>
            </Card>
          )}
          <Warnings request={request} />
        </div>
        <div className={classes.decision}>
          <Allowed to="approvals.approve">
            <Decision request={request} terms={terms} state={decision} />
          </Allowed>
        </div>
        <div className={classes.exact}>
          <ExactRequest request={request} now={now} />
        </div>
      </div>
    </Page>
  );
}

function Warnings({ request }: { request: ApprovalRequest }) {
  return (
    <>
      {request.returnsTo === null && (
        <Alert color="orange" data-notice icon={<IconAlertTriangle aria-hidden />} title={words.noReturn}>
          {words.noReturnWarning}
        </Alert>
      )}
      {request.client.host === null && (
        <Alert color="orange" data-notice icon={<IconAlertTriangle aria-hidden />} title={words.byKey}>
          {words.keyOnlyWarning}
        </Alert>
      )}
    </>
  );
}

function Outcome({ icon: Icon, tone, title, detail }: { icon: TablerIcon; tone: 'good' | 'idle'; title: string; detail: string }) {
  return (
    <Page up="/approvals" title={words.detailTitle} width="reading">
      <Card>
        <Stack gap="md" align="flex-start" role="status">
          <Group gap="sm">
            <Icon size={28} className={tone === 'good' ? classes.good : undefined} aria-hidden />
            <Text fw={600} fz="lg">
              {title}
            </Text>
          </Group>
          <Text>{detail}</Text>
          <Group gap="sm">
            <ButtonLink to="/apps" variant="default">
              {words.toApps}
            </ButtonLink>
            <ButtonLink to="/approvals" variant="default">
              {words.toApprovals}
            </ButtonLink>
          </Group>
        </Stack>
      </Card>
    </Page>
  );
}

function WasDecided({ as, request }: Decided) {
  if (as === 'denied') return <Outcome icon={IconCircleX} tone="idle" title={words.deniedTitle} detail={words.deniedWords} />;
  const returns = request.returnsTo === null ? undefined : hostOf(request.returnsTo);
  return <Outcome icon={IconCircleCheck} tone="good" title={words.approvedTitle} detail={words.approvedWords(returns)} />;
}

/**
 * Tells an operator who comes too late what became of the request. `request` is what the page knew of it, if it was
 * open.
 */
function Over({ request, now }: { request: ApprovalRequest | undefined; now: Date }) {
  const lapsed = request !== undefined && request.lapsesAt <= now;
  const detail = lapsed ? words.lapsedWords({ when: timeText(request.lapsesAt) }) : words.decidedWords;
  return <Outcome icon={IconClockOff} tone="idle" title={words.overTitle} detail={detail} />;
}

function RequestSkeleton() {
  return (
    <Page up="/approvals" title={words.detailTitle}>
      <div className={classes.request}>
        <Skeleton height={190} radius="lg" className={classes.asked} />
        <Skeleton height={290} radius="lg" className={classes.decision} />
        <Skeleton height={360} radius="lg" className={classes.exact} />
      </div>
    </Page>
  );
}
