import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrast, textOn } from './contrast.ts';

it('black on white has the greatest contrast', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#777777')).toBe(1);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

it('text on any colour of a shop can be read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
      const colour = `#${value.toString(16).padStart(6, '0')}`;
      expect(contrast(colour, textOn(colour))).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 2_000 },
  );
});
