import { describe, expect, it } from 'vitest';
import { detailNow, type ScreenState } from './notification-rules.ts';

describe('the detail of a notification', () => {
  it.each([
    ['when_locked', 'active', 'everything'],
    ['when_locked', 'idle', 'everything'],
    ['when_locked', 'locked', 'nothing'],
    ['when_locked', 'unknown', 'nothing'],
    ['always', 'active', 'no_amounts'],
    ['always', 'locked', 'nothing'],
    ['always', 'unknown', 'nothing'],
  ] as const)('follows from amounts that are hidden %s and a screen that is %s: %s', (hideAmounts, screen: ScreenState, detail) => {
    expect(detailNow({ hideAmounts }, screen)).toBe(detail);
  });
});
