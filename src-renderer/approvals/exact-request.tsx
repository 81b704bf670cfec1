import { Table, Text } from '@mantine/core';
import type { AccessRight, ApprovalRequest } from '../../src-shared/operator-contract/access.ts';
import { Card } from '../components/card.tsx';
import { Facts } from '../components/facts.tsx';
import { InertText } from '../components/inert-text.tsx';
import { amountText } from '../format/amount-text.ts';
import { dateTimeText, distanceText, utcText } from '../format/date-text.ts';
import { hostAndPath, hostOf } from '../format/inert-text.ts';
import { messages } from '../messages.ts';

const words = messages.approvals;

/** Everything the request contains, right by right, with exact values and the next dates of its interval. */
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
                    {words.windowText(utcText(start), utcText(end))}
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

/** The rights as asked for or as granted, one line each. */
export function RightsTable({ access, subject }: { access: readonly AccessRight[]; subject: string | null }) {
  return (
    <Table.ScrollContainer minWidth={440} mb="sm">
      <Table verticalSpacing="sm" horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.column.right}</Table.Th>
            <Table.Th scope="col">{words.column.account}</Table.Th>
            <Table.Th scope="col">{words.column.limits}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {access.map((right) => (
            <Table.Tr key={JSON.stringify([right.type, right.actions, right.identifier])}>
              <Table.Td>{messages.consent.actions(right)}</Table.Td>
              <Table.Td>{right.identifier === null ? words.everyAccount : <InertText text={hostAndPath(right.identifier)} />}</Table.Td>
              <Table.Td>
                <Limits right={right} />
              </Table.Td>
            </Table.Tr>
          ))}
          {subject !== null && (
            <Table.Tr>
              <Table.Td>{words.proofOf}</Table.Td>
              <Table.Td>
                <InertText text={hostAndPath(subject)} />
              </Table.Td>
              <Table.Td>{words.limit.none}</Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Limits({ right: { type, actions, limits } }: { right: AccessRight }) {
  const spends = type === 'outgoing-payment' && actions.includes('create');
  if (!spends && limits === null) return words.limit.none;
  const { debitAmount = null, receiveAmount = null, interval = null, receiver = null } = limits ?? {};
  const lines: [string, string][] = [];
  if (debitAmount !== null) lines.push([words.limit.debit, amountText(debitAmount)]);
  if (receiveAmount !== null) lines.push([words.limit.receive, amountText(receiveAmount)]);
  if (lines.length === 0) lines.push([words.limit.debit, words.limit.noAmount]);
  lines.push([words.limit.interval, interval === null ? words.limit.once : messages.consent.interval(interval)]);
  lines.push([words.limit.receiver, receiver === null ? words.limit.anyone : hostAndPath(receiver)]);
  return lines.map(([name, value]) => (
    <Text key={name} component="span" display="block" size="sm">
      {name}:{' '}
      <strong>
        <InertText text={value} />
      </strong>
    </Text>
  ));
}
