import { expect, test } from 'vitest';
import { Recent, remembered } from './remembered.ts';

test('a function is asked once about a text, and a text that nobody repeats takes no room for ever', () => {
  const asked: string[] = [];
  const lengthOf = remembered((text) => {
    asked.push(text);
    return String(text.length);
  });
  expect([lengthOf('seven c'), lengthOf('seven c'), lengthOf('four')]).toEqual(['7', '7', '4']);
  expect(asked).toEqual(['seven c', 'four']);

  for (let n = 0; n < 1_000; n++) lengthOf(`text ${n}`);
  expect(lengthOf('four')).toBe('4');
  expect(asked.filter((text) => text === 'four')).toHaveLength(2);
});

test('a long text is answered, and not remembered', () => {
  let asked = 0;
  const first = remembered((text) => {
    asked += 1;
    return text.slice(0, 1);
  });
  const long = 'x'.repeat(10_000);
  expect([first(long), first(long)]).toEqual(['x', 'x']);
  expect(asked).toBe(2);
});

test('the latest values are remembered, and the oldest are forgotten', () => {
  const recent = new Recent<string, number>(10);
  expect(recent.get('1')).toBeUndefined();
  for (let n = 1; n <= 100; n += 1) {
    recent.set(String(n), n);
    const known = Array.from({ length: n }, (_, past) => recent.get(String(past + 1))).filter((value) => value !== undefined);
    expect(known.length).toBeGreaterThanOrEqual(Math.min(n, 5));
    expect(known.length).toBeLessThanOrEqual(10);
    expect(known.at(-1)).toBe(n);
  }
});

test('a key keeps its latest value', () => {
  const recent = new Recent<string, number>(2);
  for (const value of [1, 2, 3]) recent.set('same', value);
  expect(recent.get('same')).toBe(3);
  recent.set('other', 4);
  expect([recent.get('same'), recent.get('other')]).toEqual([3, 4]);
});
