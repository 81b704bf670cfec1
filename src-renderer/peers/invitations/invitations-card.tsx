import { Button, Group } from '@mantine/core';
import { IconMail, IconMailOpened } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Acceptance, Invitation } from '../../../src-shared/operator-contract/peering/invitations.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../../src-shared/words/date-text.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { Allowed } from '../../components/page/allowed.tsx';
import { Card } from '../../components/page/card.tsx';
import { RowContent, Rows, rowClass } from '../../components/page/rows.tsx';
import { Status } from '../../components/page/status.tsx';
import { InertText } from '../../components/text/inert-text.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { LimitDialog } from './limit-dialog.tsx';

const words = messages.invitations;

/** The invitations that nobody has used yet, and those of others that are being accepted. */
export function InvitationsCard() {
  const list = useQuery(queries.invitations.list.queryOptions());
  const { given = [], accepted = [] } = list.data ?? {};
  if (given.length + accepted.length === 0) return null;
  return (
    <Card title={words.list} flush>
      <Rows label={words.list}>
        {given.map((one) => (
          <GivenRow key={one.id} invitation={one} />
        ))}
        {accepted.map((one) => (
          <AcceptedRow key={one.id} acceptance={one} />
        ))}
      </Rows>
    </Card>
  );
}

function GivenRow({ invitation }: { invitation: Invitation }) {
  const [opened, setOpened] = useState(false);
  // The dialog exists only while it is open, so that it begins with the present limit.
  const [changing, setChanging] = useState(false);
  const report = useReporting();
  const cancel = useMutation(queries.invitations.cancel.mutationOptions({ onSuccess: () => report.done(words.cancelled, 'peers') }));
  const { id, creditLimit, expiresAt } = invitation;
  return (
    <li>
      <div className={rowClass}>
        <RowContent
          icon={<IconMail size={18} />}
          title={words.given({ limit: amountText({ ...invitation, value: creditLimit }) })}
          detail={words.givenDetail({ until: dateTimeText(expiresAt) })}
          end={
            <Allowed to="invitations.cancel">
              <Group gap="xs">
                <Button variant="default" size="xs" onClick={() => setChanging(true)}>
                  {words.changeLimit}
                </Button>
                <Button variant="default" size="xs" onClick={() => setOpened(true)}>
                  {words.cancel}
                </Button>
              </Group>
            </Allowed>
          }
          endDetail={null}
          wraps
        />
      </div>
      {changing && <LimitDialog invitation={invitation} opened onClose={() => setChanging(false)} />}
      <Confirm
        opened={opened}
        onClose={() => setOpened(false)}
        title={words.cancelTitle}
        words={words.cancelWords}
        action={words.cancel}
        danger
        busy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate({ id })}
      />
    </li>
  );
}

function AcceptedRow({ acceptance }: { acceptance: Acceptance }) {
  const { name, state, problem, origin } = acceptance;
  const waits = state === 'under_way';
  return (
    <li>
      <div className={rowClass}>
        <RowContent
          icon={<IconMailOpened size={18} />}
          title={<InertText text={words.accepted({ name })} expands={false} />}
          detail={problem === null ? (waits ? words.waiting : origin) : words.problems[problem]}
          end={acceptance.assetCode}
          endDetail={<Status tone={waits ? 'busy' : 'warning'}>{waits ? words.underWay : words.failed}</Status>}
        />
      </div>
    </li>
  );
}
