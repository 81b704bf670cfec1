import { expect, test } from 'vitest';
import { LogRing, MOST_LINES } from './log-ring.ts';
import { createLogger, recentLines } from './logger.ts';

test('the ring keeps the last lines in order, and passes every line on', () => {
  const ring = new LogRing();
  let passed = 0;
  const stream = ring.tee({
    write: () => {
      passed += 1;
    },
  });
  for (let n = 1; n <= 3; n++) stream.write(`line ${n}`);
  expect(ring.lines().map(({ text }) => text)).toEqual(['line 1', 'line 2', 'line 3']);
  for (let n = 4; n <= MOST_LINES + 7; n++) stream.write(`line ${n}`);
  const kept = ring.lines();
  expect(kept).toHaveLength(MOST_LINES);
  expect([kept[0], kept.at(-1)]).toEqual([
    { number: 8, text: 'line 8' },
    { number: MOST_LINES + 7, text: `line ${MOST_LINES + 7}` },
  ]);
  expect(passed).toBe(MOST_LINES + 7);
});

test('a logger keeps the lines that it has written, without secrets', () => {
  const log = createLogger('info', { write: () => undefined });
  log.info({ token: 'do-not-show', status: 200 }, 'asked');
  log.debug('not at this level');
  const [line, ...others] = recentLines(log);
  expect(others).toEqual([]);
  expect(line?.text).toContain('asked');
  expect(line?.text).not.toContain('do-not-show');
});
