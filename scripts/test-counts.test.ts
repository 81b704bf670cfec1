import { describe, expect, it } from 'vitest';
import { playwrightCounts, stageCounts, vitestCounts } from './test-counts.mjs';

describe('test counts', () => {
  it('count every vitest test that did not pass as failed', () => {
    const report = { numTotalTests: 10, numPassedTests: 7, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 };
    expect(vitestCounts(JSON.stringify(report))).toEqual({ passed: 7, failed: 3 });
  });

  it('count Playwright tests that passed at their second try as passed, and skipped ones as failed', () => {
    const report = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 1 } };
    expect(playwrightCounts(JSON.stringify(report))).toEqual({ passed: 6, failed: 2 });
  });

  it('never call a broken stage unfailed', () => {
    expect(stageCounts(1, { passed: 3, failed: 0 })).toEqual({ passed: 3, failed: 1 });
    expect(stageCounts(1, { passed: 3, failed: 2 })).toEqual({ passed: 3, failed: 2 });
    expect(stageCounts(0, { passed: 3, failed: 0 })).toEqual({ passed: 3, failed: 0 });
  });
});
