import { Button, Center, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import type { Role } from '../../../src-shared/people/roles.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { signIn } from '../../transport/session.ts';
import { Brand } from '../page/brand.tsx';
import { PinPad } from './pin-pad.tsx';
import { SignInWays } from './sign-in-ways.tsx';
import classes from './take-over.module.css';

const words = messages.ways.takeOver;

/** Somebody who has signed in in this browser before. */
export interface KnownPerson {
  id: string;
  /** It is empty for an owner whom nobody has named. */
  name: string;
  role: Role;
}

const nameOf = ({ name, role }: KnownPerson): string => name || messages.people.roles[role];

interface TakeOverProps {
  people: readonly KnownPerson[];
  /** Whether anybody signs in here with a passkey, or with a password. */
  passkey: boolean;
  password: boolean;
  onOpen: () => Promise<void>;
  /** Shows how somebody signs in who was not here before. */
  onOthers: () => void;
}

/** The screen of a shared browser that nobody is signed in at: who is there, and their PIN. */
export function TakeOver({ people, passkey, password, onOpen, onOthers }: TakeOverProps) {
  const [chosen, setChosen] = useState<KnownPerson>();
  const title = chosen === undefined ? words.title : words.pinOf({ name: nameOf(chosen) });
  useDocumentTitle(messages.common.title({ page: title, waiting: 0 }));
  return (
    <Center mih="100dvh" p="lg" component="main">
      <Stack maw={400} w="100%" gap="md">
        <Brand />
        {chosen === undefined ? (
          <>
            <Title order={1} mt="sm">
              {title}
            </Title>
            <Text>{words.lead}</Text>
            <ul className={classes.people}>
              {people.map((person) => (
                <li key={person.id}>
                  <UnstyledButton className={classes.person} onClick={() => setChosen(person)}>
                    <bdi className={classes.name}>{nameOf(person)}</bdi>
                    {person.name !== '' && <span className={classes.role}>{messages.people.roles[person.role]}</span>}
                  </UnstyledButton>
                </li>
              ))}
            </ul>
            <Button variant="default" onClick={onOthers}>
              {words.somebodyElse}
            </Button>
          </>
        ) : (
          <>
            <BackToNames onBack={() => setChosen(undefined)} />
            <PinEntry key={chosen.id} person={chosen} onOpen={onOpen} />
            {(passkey || password) && (
              <>
                <Title order={2} size="h4" mt="sm">
                  {words.without}
                </Title>
                <SignInWays passkey={passkey} password={password} onOpen={onOpen} />
              </>
            )}
          </>
        )}
      </Stack>
    </Center>
  );
}

/** Leads back to the names. */
export const BackToNames = ({ onBack }: { onBack: () => void }) => (
  <Button variant="subtle" color="gray" w="fit-content" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={onBack}>
    {words.back}
  </Button>
);

/** What a refusal means for who has typed a PIN. */
function textOf(answer: Awaited<ReturnType<typeof signIn>> | undefined): string {
  if (answer === undefined || answer === 'open') return messages.errors.unreachable;
  if (answer.code === 'wrong_pin') return words.wrong({ count: answer.triesLeft ?? 0 });
  return answer.code === 'pin_off' ? words.off : messages.ways.signIn.busy;
}

function PinEntry({ person, onOpen }: { person: KnownPerson; onOpen: () => Promise<void> }) {
  const [problem, setProblem] = useState<string>();
  const [isOff, setOff] = useState(false);
  const [busy, setBusy] = useState(false);
  const attempt = async (pin: string) => {
    setBusy(true);
    setProblem(undefined);
    const answer = await signIn({ personId: person.id, pin }).catch(() => undefined);
    if (answer === 'open') return await onOpen();
    setBusy(false);
    setOff(typeof answer === 'object' && answer.code === 'pin_off');
    setProblem(textOf(answer));
  };
  return (
    <>
      <Title order={1}>
        <bdi>{words.pinOf({ name: nameOf(person) })}</bdi>
      </Title>
      <Text className={classes.told} role={problem === undefined ? undefined : 'alert'} c={problem === undefined ? 'dimmed' : 'red'}>
        {problem ?? words.hint}
      </Text>
      {!isOff && <PinPad label={words.pinOf({ name: nameOf(person) })} busy={busy} onPin={(pin) => void attempt(pin)} />}
    </>
  );
}
