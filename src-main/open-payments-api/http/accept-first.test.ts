import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { AcceptFirst } from './accept-first.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function listener() {
  const handled: number[] = [];
  const first = new AcceptFirst((request) => void handled.push(Number(request.url)));
  const ask = (nth: number) => first.handle({ url: String(nth) } as IncomingMessage, {} as ServerResponse);
  return { first, handled, ask };
}

it('requests wait while each turn brings a connection, and are handled in their order afterwards', async () => {
  const { first, handled, ask } = listener();
  ask(0);
  for (let nth = 1; nth <= 200; nth++) {
    first.connected();
    ask(nth);
    await turn();
  }
  expect(handled).toEqual([0]);
  await turn();
  await turn();
  expect(handled).toEqual(Array.from({ length: 201 }, (_, nth) => nth));
  ask(201);
  expect(handled.at(-1)).toBe(201);
});

it('whoever never stops connecting cannot keep requests waiting for ever', async () => {
  const { first, handled, ask } = listener();
  first.connected();
  ask(0);
  for (let turns = 0; turns < 600; turns++) {
    first.connected();
    await turn();
  }
  expect(handled).toEqual([0]);
});
