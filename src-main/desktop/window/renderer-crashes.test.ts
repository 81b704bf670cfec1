import { expect, it } from 'vitest';
import { RendererCrashes } from './renderer-crashes.ts';

it('the app opens a crashed window anew, but not again and again', () => {
  const crashes = new RendererCrashes();
  expect(crashes.mayReopen(0, true)).toBe(true);
  expect(crashes.mayReopen(1_000, true)).toBe(true);
  expect(crashes.mayReopen(2_000, true)).toBe(false);
  expect(crashes.mayReopen(120_000, true)).toBe(true);
});

it('the app gives up on pages that crash before they are painted, however slowly, until one is painted', () => {
  const crashes = new RendererCrashes();
  expect([0, 100_000, 200_000, 300_000].map((now) => crashes.mayReopen(now, false))).toEqual([true, true, false, false]);
  expect(crashes.mayReopen(400_000, true)).toBe(true);
  expect(crashes.mayReopen(500_000, false)).toBe(true);
});
