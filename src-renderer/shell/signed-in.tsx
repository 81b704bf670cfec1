import { Group, Text } from '@mantine/core';
import { messages } from '../../src-shared/words/console/messages.ts';
import { SwitchPerson } from '../components/sign-in/switch-person.tsx';
import { useStateCell } from '../transport/state-cell.ts';
import { you } from '../transport/you.ts';
import classes from './desk.module.css';

const words = messages.people;

/** Says who is signed in, and lets another person take over. An owner without a name who works alone knows it. */
export function SignedIn() {
  const current = useStateCell(you);
  const name = current?.person?.name ?? '';
  if (current === undefined || (name === '' && current.role === 'owner' && !current.isShared)) return null;
  const role = words.roles[current.role];
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" className={classes.person}>
      <Text size="sm">
        {name !== '' && (
          <>
            <bdi>{name}</bdi>
            {' · '}
          </>
        )}
        {role}
      </Text>
      <SwitchPerson />
    </Group>
  );
}
