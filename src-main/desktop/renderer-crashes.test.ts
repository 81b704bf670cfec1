import { expect, it } from 'vitest';
import { RendererCrashes } from './renderer-crashes.ts';

it('opens a crashed window anew, but not again and again', () => {
  const crashes = new RendererCrashes();
  expect(crashes.mayReopen(0)).toBe(true);
  expect(crashes.mayReopen(1_000)).toBe(true);
  expect(crashes.mayReopen(2_000)).toBe(false);
  expect(crashes.mayReopen(120_000)).toBe(true);
});
