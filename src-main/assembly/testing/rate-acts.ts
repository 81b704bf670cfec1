import { randomUUID } from 'node:crypto';
import type { openOperator } from './node-operator.ts';

type Opened = Pick<ReturnType<typeof openOperator>, 'client' | 'rateAnswers'>;

const URL = 'https://rates.example/usd.json';
const place = { kind: 'json' as const, url: URL, base: 'USD', quote: 'GBP', path: 'rate', datePath: null };
const source = () => ({ requestId: randomUUID(), name: 'Rates', place, everySeconds: 3_600, isOn: true });
const pair = { base: 'USD', quote: 'GBP' };
const following = { ...pair, spreadBps: 0, maxJumpBps: 100, maxAgeSeconds: 3_600, fallsBack: false };
const fee = { ...pair, fixed: '0.1', shareBps: 10, minimum: '0' };

/** Every act of the operator on sources, pairs and fees. Each prepares what it needs, and gives the act itself. */
export function rateActs(opened: () => Opened): Record<string, () => Promise<() => Promise<unknown>>> {
  const operator = () => opened().client;
  const added = async () => (await operator().rateSources.add(source())).id;
  const says = (rate: string) => opened().rateAnswers.set(URL, `{"rate":${rate}}`);
  return {
    'rateSources.add': async () => () => operator().rateSources.add(source()),
    'rateSources.switch': async () => {
      const id = await added();
      return () => operator().rateSources.switch({ id, isOn: false });
    },
    'rateSources.prefer': async () => {
      await added();
      const id = await added();
      return () => operator().rateSources.prefer({ id });
    },
    'rateSources.remove': async () => {
      const id = await added();
      return () => operator().rateSources.remove({ id });
    },
    'rateSources.look': async () => {
      const id = await added();
      return () => operator().rateSources.look({ id });
    },
    'pairs.follow': async () => () => operator().pairs.follow(following),
    'pairs.unfollow': async () => {
      await operator().pairs.follow(following);
      return () => operator().pairs.unfollow(pair);
    },
    'pairs.confirmJump': async () => {
      says('0.8');
      const id = await added();
      await operator().rateSources.look({ id });
      await operator().rateSources.prefer({ id });
      await operator().pairs.follow(following);
      says('0.9');
      await operator().rateSources.look({ id });
      return () => operator().pairs.confirmJump({ ...pair, exact: '9/10' });
    },
    'pairs.setFee': async () => () => operator().pairs.setFee(fee),
    'pairs.removeFee': async () => {
      await operator().pairs.setFee(fee);
      return () => operator().pairs.removeFee(pair);
    },
  };
}
