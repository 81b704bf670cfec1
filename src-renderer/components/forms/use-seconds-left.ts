import { useEffect, useState } from 'react';

/** What a refused passphrase says of how long none is looked at; 0 when it says nothing of it. */
export function secondsIn(error: unknown): number {
  const data: unknown = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  const seconds: unknown = typeof data === 'object' && data !== null && 'secondsLeft' in data ? data.secondsLeft : undefined;
  return typeof seconds === 'number' ? seconds : 0;
}

/** Seconds that count down to 0, and the way to begin anew. Another `told` begins anew, too. */
export function useSecondsLeft(told: number): [left: number, begin: (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(() => performance.now());
  const begin = (seconds: number) => {
    setNow(performance.now());
    setUntil(performance.now() + seconds * 1000);
  };
  useEffect(() => {
    setNow(performance.now());
    setUntil(performance.now() + told * 1000);
  }, [told]);
  const over = until <= now;
  useEffect(() => {
    if (over) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [over]);
  return [Math.max(0, Math.ceil((until - now) / 1000)), begin];
}
