import { expect, test } from 'vitest';
import { remembered } from './remembered.ts';

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
