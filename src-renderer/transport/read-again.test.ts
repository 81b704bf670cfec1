import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';
import { readAgain } from './read-again.ts';

/** A query whose answers are given one by one, in the order of the reads. */
function heldQuery() {
  const reads: ((answer: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => reads.push(resolve));
  return { reads, options: { queryKey: ['payments', 'one'], queryFn } };
}

test('what is on the screen is read again', async () => {
  const queryClient = createQueryClient();
  const { reads, options } = heldQuery();
  const stop = new QueryObserver(queryClient, options).subscribe(() => undefined);
  reads[0]?.('sending');
  await expect.poll(() => queryClient.getQueryData(options.queryKey)).toBe('sending');
  const again = readAgain(queryClient, { queryKey: ['payments'] });
  expect(reads).toHaveLength(2);
  reads[1]?.('completed');
  await again;
  expect(queryClient.getQueryData(options.queryKey)).toBe('completed');
  expect(reads).toHaveLength(2);
  stop();
});

test('a first answer that began before the change is not kept', async () => {
  const queryClient = createQueryClient();
  const { reads, options } = heldQuery();
  const stop = new QueryObserver(queryClient, options).subscribe(() => undefined);
  const again = readAgain(queryClient, { queryKey: ['payments'] });
  expect(reads).toHaveLength(1);
  reads[0]?.('sending');
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.('completed');
  await again;
  expect(queryClient.getQueryData(options.queryKey)).toBe('completed');
  stop();
});

test('an answer that nobody waits for any more is old when a screen needs it', async () => {
  const queryClient = createQueryClient();
  const { reads, options } = heldQuery();
  new QueryObserver(queryClient, options).subscribe(() => undefined)();
  const again = readAgain(queryClient);
  reads[0]?.('sending');
  await again;
  expect(queryClient.getQueryState(options.queryKey)).toMatchObject({ data: 'sending', isInvalidated: true });
  expect(reads).toHaveLength(1);
});

test('a first read that fails does not keep others from being read again', async () => {
  const queryClient = createQueryClient();
  const { reads, options } = heldQuery();
  let fails = 0;
  const failing = new QueryObserver(queryClient, {
    queryKey: ['payments', 'other'],
    queryFn: () => Promise.reject(new Error(`${++fails}`)),
  });
  const stops = [new QueryObserver(queryClient, options).subscribe(() => undefined), failing.subscribe(() => undefined)];
  const again = readAgain(queryClient, { queryKey: ['payments'] });
  reads[0]?.('sending');
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.('completed');
  await again;
  expect(queryClient.getQueryData(options.queryKey)).toBe('completed');
  expect(fails).toBe(2);
  for (const stop of stops) stop();
});

test('what does not match is not read again', async () => {
  const queryClient = createQueryClient();
  const { reads, options } = heldQuery();
  const stop = new QueryObserver(queryClient, options).subscribe(() => undefined);
  const again = readAgain(queryClient, { queryKey: ['accounts'] });
  reads[0]?.('sending');
  await again;
  expect(queryClient.getQueryState(options.queryKey)).toMatchObject({ isInvalidated: false });
  expect(reads).toHaveLength(1);
  stop();
});
