import { Text } from '@mantine/core';
import { messages } from '../../src-shared/words/console/messages.ts';
import { useStateCell } from '../transport/state-cell.ts';
import { you } from '../transport/you.ts';
import classes from './desk.module.css';

const words = messages.people;

/** Says who is signed in. An owner without a name works alone and knows it. */
export function SignedIn() {
  const current = useStateCell(you);
  const name = current?.person?.name ?? '';
  if (current === undefined || (name === '' && current.role === 'owner')) return null;
  return (
    <Text size="sm" className={classes.person}>
      <bdi>{words.of({ name, role: words.roles[current.role] })}</bdi>
    </Text>
  );
}
