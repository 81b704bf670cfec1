import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { askIn } from './ask-in.ts';

it('the app puts a question in the window that is in front, and gives its answer', async () => {
  const window = new EventEmitter();
  const asked: unknown[] = [];
  const answer = await askIn(
    () => window,
    async (where) => {
      asked.push(where);
      return { response: 2 };
    },
  );
  expect(answer).toEqual({ response: 2 });
  expect(asked).toEqual([window]);
});

it('the app puts a question in the next window when the first is gone before there is an answer', async () => {
  const windows = [new EventEmitter(), new EventEmitter()];
  const asked: EventEmitter[] = [];
  const answer = askIn(
    () => windows[asked.length],
    async (window) => {
      asked.push(window);
      // When a window is destroyed, Electron never answers a question that is open in it.
      if (asked.length === 1) return await new Promise<never>(() => undefined);
      return { response: 1 };
    },
  );
  windows[0]?.emit('closed');
  expect(await answer).toEqual({ response: 1 });
  expect(asked).toEqual(windows);
});

it('the app asks nobody any more when there is to be no window', async () => {
  const window = new EventEmitter();
  const windows = [window];
  const answer = askIn(
    () => windows.shift(),
    () => new Promise<{ response: number }>(() => undefined),
  );
  window.emit('closed');
  expect(await answer).toBeUndefined();
});
