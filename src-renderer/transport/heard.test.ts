import { expect, it } from 'vitest';
import { onHeard, overhear } from './heard.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it('the console notices every piece of a stream, and changes none', async () => {
  let heard = 0;
  const stop = onHeard(() => {
    heard += 1;
  });
  const pieces = [': \n\n', 'data: {}\n\n', ': \n\n'];
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(bytes(piece));
      controller.close();
    },
  });
  const answer = overhear(new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } }));
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await answer.text()).toBe(pieces.join(''));
  expect(heard).toBe(3);
  stop();
  await overhear(new Response(bytes('x'), { headers: { 'content-type': 'text/event-stream' } })).text();
  expect(heard).toBe(3);
});

it('the console leaves other answers alone', async () => {
  const answer = Response.json({});
  expect(overhear(answer)).toBe(answer);
});
