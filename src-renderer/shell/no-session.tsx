import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Brand } from '../components/page/brand.tsx';
import { readWaysIn, type WaysIn } from '../components/sign-in/ways-in.ts';
import { CopyableBlock } from '../components/text/copyable-block.tsx';
import { dataFolder } from '../transport/data-folder.ts';
import { you } from '../transport/you.ts';
import { openSession } from './open-session.ts';
import { Opening } from './opening.tsx';

const words = messages.common.session;
const { signIn, setUp: setUpWords } = messages.ways;

const SignInWays = lazy(async () => ({ default: (await import('../components/sign-in/sign-in-ways.tsx')).SignInWays }));

const TakeOver = lazy(async () => ({ default: (await import('../components/sign-in/take-over.tsx')).TakeOver }));

const SetUpForm = lazy(async () => ({ default: (await import('../components/sign-in/set-up-form.tsx')).SetUpForm }));

const BackToNames = lazy(async () => ({ default: (await import('../components/sign-in/take-over.tsx')).BackToNames }));

/** Says how to open the console. It signs in a person who has a passkey or a password. */
export function NoSession({ linkRefused }: { linkRefused: boolean }) {
  const queryClient = useQueryClient();
  const [ways, setWays] = useState<WaysIn>();
  const [others, setOthers] = useState(false);
  useEffect(() => {
    // Nothing of the person before stays in the page.
    queryClient.clear();
    notifications.clean();
    you.set(undefined);
    let isHere = true;
    void readWaysIn().then((read) => isHere && setWays(read));
    return () => {
      isHere = false;
    };
  }, [queryClient]);
  if (ways === undefined) return <Opening />;
  const open = () => openSession(queryClient, Promise.resolve('open'));
  const isTaking = ways.people.length > 0 && !linkRefused;
  // The page comes with all of its ways, so that none of them moves what stands below it.
  return (
    <Suspense fallback={<Opening />}>
      {isTaking && !others ? (
        <TakeOver {...ways} onOpen={open} onOthers={() => setOthers(true)} />
      ) : (
        <Screen ways={ways} linkRefused={linkRefused} onOpen={open} {...(isTaking && { onBack: () => setOthers(false) })} />
      )}
    </Suspense>
  );
}

interface ScreenProps {
  ways: WaysIn;
  linkRefused: boolean;
  onOpen: () => Promise<void>;
  /** Leads back to the names of the persons who have signed in here before. */
  onBack?: () => void;
}

function Screen({ ways: { passkey, password, setUp, isRemote }, linkRefused, onOpen: open, onBack }: ScreenProps) {
  const hasWays = passkey || password;
  const title = titleOf({ linkRefused, setUp, isSignIn: hasWays || isRemote });
  useDocumentTitle(messages.common.title({ page: title, waiting: 0 }));
  return (
    <Center mih="100dvh" p="lg" component="main">
      <Stack maw={460} w="100%" gap="md">
        <Brand />
        {onBack !== undefined && <BackToNames onBack={onBack} />}
        <Title order={1} mt="sm">
          {title}
        </Title>
        {hasWays && <SignInWays passkey={passkey} password={password} onOpen={open} />}
        {hasWays && (
          <Title order={2} size="h4" mt="lg">
            {signIn.other}
          </Title>
        )}
        {setUp && <SetUpForm onOpen={open} />}
        {isRemote && !setUp && <Text>{linkRefused ? signIn.remoteRefused : signIn.remoteNone}</Text>}
        {!isRemote && <LinkAdvice linkRefused={linkRefused} />}
        {linkRefused && (
          <Text c="dimmed" size="sm">
            {words.already}
          </Text>
        )}
        {!setUp && onBack === undefined && (
          <Button variant="default" w="fit-content" onClick={() => location.reload()}>
            {linkRefused ? words.goOn : messages.common.tryAgain}
          </Button>
        )}
      </Stack>
    </Center>
  );
}

function titleOf({ linkRefused, setUp, isSignIn }: { linkRefused: boolean; setUp: boolean; isSignIn: boolean }): string {
  if (linkRefused) return words.refusedTitle;
  if (setUp) return setUpWords.title;
  return isSignIn ? signIn.title : words.noneTitle;
}

/** Tells a person at this computer how to get a link. */
const LinkAdvice = ({ linkRefused }: { linkRefused: boolean }) => (
  <>
    <Text>{linkRefused ? words.refusedAdvice : words.noneAdvice}</Text>
    <CopyableBlock value={words.command(dataFolder)} what={messages.common.command} />
    <Text c="dimmed" size="sm">
      {messages.people.askOwner}
    </Text>
  </>
);
