import { Table, Text } from '@mantine/core';
import type { AccessRight } from '../../../src-shared/operator-contract/access.ts';
import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText, distanceText, utcText } from '../../../src-shared/words/date-text.ts';
import { hostAndPath, hostOf } from '../../../src-shared/words/inert-text.ts';
import { Card } from '../page/card.tsx';
import classes from './exact-request.module.css';
import { Facts } from './facts.tsx';
import { InertText } from './inert-text.tsx';

const words = messages.approvals;

/** Shows everything that the request contains, right by right, with exact values and the next dates of its interval. */
export function ExactRequest({ request, now }: { request: ApprovalRequest; now: Date }) {
  const { client, access, account, subject, nextWindows, createdAt, lapsesAt, returnsTo } = request;
  return (
    <Card title={words.exactly}>
      <RightsTable access={access} subject={subject} />
      <Facts
        facts={[
          [
            messages.apps.fact.app,
            <span key="app">
              <InertText text={client.host === null ? client.id : hostAndPath(client.host)} />
              {client.selfAssertedName !== null && (
                <Text component="span" c="dimmed" size="sm">
                  {' '}
                  <InertText text={words.selfAsserted(client.selfAssertedName)} />
                </Text>
              )}
            </span>,
          ],
          [words.facts.from, account === null ? null : <InertText key="account" text={`${account.publicName} (${account.name})`} />],
          [
            words.windows,
            nextWindows.length === 0 ? null : (
              <span key="windows">
                {nextWindows.map(({ start, end }) => (
                  <Text key={start.getTime()} component="span" display="block">
                    {words.windowText({ start: utcText(start), end: utcText(end) })}
                  </Text>
                ))}
                <Text size="sm" c="dimmed" component="span">
                  {words.windowsNote}
                </Text>
              </span>
            ),
          ],
          [words.facts.returns, returnsTo === null ? words.noReturn : <InertText key="returns" text={hostOf(returnsTo)} />],
          [words.facts.asked, dateTimeText(createdAt)],
          [words.facts.lapses, `${dateTimeText(lapsesAt)} (${distanceText(lapsesAt, now)})`],
        ]}
      />
    </Card>
  );
}

/** The rights as asked for or as granted, one line each, with their exact terms. */
export function RightsTable({ access, subject }: { access: readonly AccessRight[]; subject: string | null }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing={0} layout="fixed" mb="sm" className={classes.rights}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{words.column.right}</Table.Th>
          <Table.Th scope="col">{words.column.terms}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {access.map((right) => (
          <Table.Tr key={JSON.stringify([right.type, right.actions, right.identifier])}>
            <Table.Td>
              {messages.consent.kind(right)}
              <Text component="span" display="block" size="xs" c="dimmed">
                {messages.consent.actions(right)}
              </Text>
            </Table.Td>
            <Table.Td>
              {words.terms(right).map(([name, value]) => (
                <Term key={name} name={name} value={value} />
              ))}
            </Table.Td>
          </Table.Tr>
        ))}
        {subject !== null && (
          <Table.Tr>
            <Table.Td>{words.proofOf}</Table.Td>
            <Table.Td>
              <Term name={words.account} value={hostAndPath(subject)} />
            </Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  );
}

function Term({ name, value }: { name: string; value: string }) {
  return (
    <Text component="span" display="block" size="sm">
      {name}
      {messages.common.colon}{' '}
      <strong>
        <InertText text={value} length={120} />
      </strong>
    </Text>
  );
}
