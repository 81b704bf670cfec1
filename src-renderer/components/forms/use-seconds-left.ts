import { useEffect, useState } from 'react';

/** Counts seconds down to 0. A new value of `told` and a call of `begin` start the count again. */
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
