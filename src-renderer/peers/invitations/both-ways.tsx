import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { BackTest } from '../../../src-shared/operator-contract/peering/invitations.ts';
import type { Peer } from '../../../src-shared/operator-contract/peers.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { peerTestText } from '../../../src-shared/words/peer-test.ts';
import { Card } from '../../components/page/card.tsx';
import { Failure } from '../../components/page/failure.tsx';
import { ButtonLink } from '../../components/page/links.tsx';
import { Page } from '../../components/page/page.tsx';
import { queries } from '../../transport/operator-client.ts';

const words = messages.invitations;

/** The peer that has come of an invitation, and whether test packets go both ways. */
export function BothWays({ peer }: { peer: Peer }) {
  const test = useQuery({
    ...queries.invitations.testBothWays.queryOptions({ input: { id: peer.id } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <Page up="/peers" title={words.peersNow({ name: inertText(peer.name) })} width="reading">
      <Card>
        <Stack gap="md" role="status">
          {test.isPending && <Text>{words.testing}</Text>}
          {test.data !== undefined && (
            <>
              <Way title={words.there} good={test.data.there.outcome === 'good'} text={peerTestText(test.data.there)} />
              <Way title={words.back} good={test.data.back.outcome === 'good'} text={backText(test.data.back)} />
            </>
          )}
          <Failure error={test.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" loading={test.isFetching} onClick={() => void test.refetch()}>
              {words.testAgain}
            </Button>
            <ButtonLink to="/peers/$id" params={{ id: peer.id }}>
              {words.open}
            </ButtonLink>
          </Group>
        </Stack>
      </Card>
    </Page>
  );
}

function Way({ title, good, text }: { title: string; good: boolean; text: string }) {
  return (
    <Alert color={good ? 'pine' : 'orange'} title={title}>
      {good ? words.works : text}
    </Alert>
  );
}

function backText({ outcome, finding }: BackTest): string {
  if (outcome === 'not_asked' || finding === null) return words.notAsked;
  return finding === 'other_currency' ? words.otherCurrency : peerTestText({ outcome, finding, milliseconds: 0 });
}
