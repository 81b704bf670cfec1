import { useEffect, useRef, useState } from 'react';
import type { ReachStep } from '../../src-shared/operator-contract/reachability.ts';
import { client } from '../transport/operator-client.ts';

interface Reach {
  steps: readonly ReachStep[];
  state: 'idle' | 'running' | 'done' | 'failed';
  start: () => void;
  stop: () => void;
}

/** Runs the check to its end, or until `stopped` is aborted. */
async function check(stopped: AbortSignal, onStep: (step: ReachStep) => void): Promise<void> {
  for await (const step of await client.health.reach(undefined, { signal: stopped })) {
    if (stopped.aborted) return;
    onStep(step);
  }
}

/** The reachability check as it goes on; leaving the page stops it. */
export function useReach(): Reach {
  const [steps, setSteps] = useState<readonly ReachStep[]>([]);
  const [state, setState] = useState<Reach['state']>('idle');
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async () => {
    const attempt = new AbortController();
    running.current = attempt;
    setSteps([]);
    setState('running');
    try {
      await check(attempt.signal, (step) => setSteps((before) => [...before.filter(({ name }) => name !== step.name), step]));
      if (!attempt.signal.aborted) setState('done');
    } catch {
      if (!attempt.signal.aborted) setState('failed');
    }
  };
  return {
    steps,
    state,
    start: () => void run(),
    stop: () => {
      running.current?.abort();
      setSteps([]);
      setState('idle');
    },
  };
}
