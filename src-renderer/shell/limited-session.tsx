import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { withWords } from '../components/language/load-words.ts';
import { openSession } from './open-session.ts';
import { Opening } from './opening.tsx';

const load = withWords(['accounts'], () => import('../components/sign-in/first-way.tsx'));
const FirstWay = lazy(async () => ({ default: (await load()).FirstWay }));

/** Lets a person who has opened a sign-in link over the network choose how they will sign in. */
export function LimitedSession() {
  const queryClient = useQueryClient();
  return (
    <Suspense fallback={<Opening />}>
      <FirstWay onOpen={() => void openSession(queryClient, Promise.resolve('open'))} />
    </Suspense>
  );
}
