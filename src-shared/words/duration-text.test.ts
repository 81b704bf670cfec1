import { describe, expect, it } from 'vitest';
import { bytesText, durationText } from './duration-text.ts';

describe('durationText', () => {
  it.each([
    [600, '10 minutes'],
    [1, '1 second'],
    [90, '90 seconds'],
    [3_600, '1 hour'],
    [172_800, '2 days'],
  ])('says %i seconds as %s', (seconds, text) => expect(durationText(seconds, 'en')).toBe(text));
});

describe('bytesText', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [120_400, '120 kB'],
    [5_250_000, '5.3 MB'],
    [12_000_000_000, '12 GB'],
    [5_000_000_000_000, '5,000 GB'],
  ])('says %i bytes as %s', (bytes, text) => expect(bytesText(bytes, 'en')).toBe(text));
});
