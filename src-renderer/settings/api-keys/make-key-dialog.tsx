import { Modal, Radio, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PayableAccount } from '../../../src-shared/operator-contract/payments/payment-requests.ts';
import { groupsFor, type KeyGroup } from '../../../src-shared/people/key-groups.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../../components/forms/dialog-foot.tsx';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { NameField } from '../name-field.tsx';
import { AccountsField } from './accounts-field.tsx';
import classes from './api-keys.module.css';
import { GroupsField } from './groups-field.tsx';
import { KeyValue } from './key-value.tsx';
import { KeyWords } from './key-words.tsx';

const words = messages.apiKeys;
const ROLES = ['cashier', 'accountant', 'manager'] as const;
const DAY_MS = 86_400_000;
const DAYS = { never: null, month: 30, year: 365 } as const;
type Ending = keyof typeof DAYS;
const isEnding = (text: string | null): text is Ending => text !== null && text in DAYS;

/** Makes a key for software of the shop, and hands its value over once. */
export function MakeKeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<(typeof ROLES)[number]>('cashier');
  const [groups, setGroups] = useState<KeyGroup[] | null>(null);
  const [accounts, setAccounts] = useState<PayableAccount[] | null>(null);
  const [ending, setEnding] = useState<Ending>('never');
  const [tried, setTried] = useState(false);
  const now = useNodeTime(60_000);
  const report = useReporting();
  const onSuccess = () => report.changed('sessions');
  const make = useMutation(queries.apiKeys.create.mutationOptions({ onSuccess, onError: report.failed }));
  // What the role or the accounts do not allow is not asked for, and is chosen again when they do.
  const fitting = groups && groupsFor(role, accounts !== null).filter((group) => groups.includes(group));
  const isNarrow = (groups !== null || accounts !== null) && fitting?.length !== 0 && accounts?.length !== 0;
  const isComplete = name.trim() !== '' && (isNarrow || (groups === null && accounts === null));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const days = DAYS[ending];
    const expiresAt = days === null ? null : new Date(now.getTime() + days * DAY_MS);
    if (isComplete) make.mutate({ name, role, groups: fitting, accounts: accounts?.map(({ id }) => id) ?? null, expiresAt });
  };
  if (make.data !== undefined) return <KeyValue name={make.data.key.name} value={make.data.value} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={words.makeTitle} closeOnClickOutside={name === ''}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <NameField words={words} name={name} onName={setName} tried={tried} />
          <Radio.Group label={words.role} value={role} onChange={(chosen) => setRole(ROLES.find((one) => one === chosen) ?? 'cashier')}>
            <Stack gap="sm" mt="xs">
              {ROLES.map((one) => (
                <Radio key={one} value={one} label={messages.people.roles[one]} description={words.may[one]} />
              ))}
            </Stack>
          </Radio.Group>
          <GroupsField role={role} ofAccounts={accounts !== null} groups={groups} onGroups={setGroups} tried={tried} />
          <AccountsField accounts={accounts} onAccounts={setAccounts} tried={tried} />
          {isNarrow && (
            <Text className={classes.may} aria-live="polite">
              <KeyWords role={role} groups={fitting} accounts={accounts} />
            </Text>
          )}
          <Select
            label={words.ends}
            value={ending}
            onChange={(chosen) => isEnding(chosen) && setEnding(chosen)}
            data={[
              { value: 'never', label: words.endings.never },
              { value: 'month', label: words.endings.month },
              { value: 'year', label: words.endings.year },
            ]}
            allowDeselect={false}
          />
          <DialogFoot error={make.error} busy={make.isPending} action={words.make} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
