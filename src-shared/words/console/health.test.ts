import { describe, expect, it } from 'vitest';
import { health } from './health.ts';

describe('what Health says of the growth of the database', () => {
  const { growth } = health.disk;

  it.each([
    [null, 1e9, 'How fast the database grows is known tomorrow.'],
    [0, 1e9, 'The database has not grown lately.'],
    [-5_000, 1e9, 'The database has not grown lately.'],
    [1_000_000, 90_500_000, 'The database grows by 1 MB a day. The disk is full in about 90 days.'],
    [1_000_000, 1_000_000, 'The database grows by 1 MB a day. The disk is full in about 1 day.'],
    [1_000, null, 'The database grows by 1 kB a day.'],
    [1_000, 1e9, 'The database grows by 1 kB a day. There is room for more than ten years.'],
  ])('is right for %s bytes a day and %s bytes left', (perDay, room, words) => {
    expect(growth(perDay, room).replaceAll(' ', ' ')).toBe(words);
  });
});
