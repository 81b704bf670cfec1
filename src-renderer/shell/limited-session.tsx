import { lazy, Suspense } from 'react';
import { Opening } from './opening.tsx';

const FirstWay = lazy(async () => ({ default: (await import('../sign-in/first-way.tsx')).FirstWay }));

/** Lets a person who has opened a sign-in link over the network choose how they will sign in. */
export const LimitedSession = () => (
  <Suspense fallback={<Opening />}>
    <FirstWay />
  </Suspense>
);
