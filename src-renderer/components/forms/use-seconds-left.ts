import { useEffect, useState } from 'react';

/** For how many seconds the node takes no passphrase, as the refusal of a wrong one says; 0 when it does not say. */
export function secondsIn(error: unknown): number {
  const data: unknown = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  const seconds: unknown = typeof data === 'object' && data !== null && 'secondsLeft' in data ? data.secondsLeft : undefined;
  return typeof seconds === 'number' ? seconds : 0;
}

/** Seconds that count down to 0, and the way to begin again. Another `told` begins again, too. */
export function useSecondsLeft(told: number): [left: number, begin: (seconds: number) => void] {
  const [start, setStart] = useState({ told, seconds: told });
  const [left, setLeft] = useState(told);
  const begin = (seconds: number) => {
    setStart({ told, seconds });
    setLeft(seconds);
  };
  if (start.told !== told) begin(told);
  useEffect(() => {
    if (start.seconds === 0) return;
    const until = performance.now() + start.seconds * 1000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((until - performance.now()) / 1000));
      setLeft(rest);
      if (rest === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [start]);
  return [left, begin];
}
