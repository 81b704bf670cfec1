// @ts-check

/** @typedef {{ passed: number, failed: number }} Counts */

/** What vitest's JSON reporter counted. A skipped test shows nothing, so it counts as failed. @param {string} json @returns {Counts} */
export function vitestCounts(json) {
  /** @type {{ numPassedTests: number, numTotalTests: number }} */
  const { numPassedTests, numTotalTests } = JSON.parse(json);
  return { passed: numPassedTests, failed: numTotalTests - numPassedTests };
}

/** What Playwright's JSON reporter counted, by the same rule; what passed at its second try has passed. @param {string} json @returns {Counts} */
export function playwrightCounts(json) {
  /** @type {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } }} */
  const { stats } = JSON.parse(json);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + stats.skipped };
}

/**
 * A stage's counts. A stage that broke without naming a failed test, such as a check or a file that cannot be loaded,
 * counts as one failure: no run that went wrong ends with “0 failed”.
 * @param {number} code the stage's exit code
 * @param {Counts} counts
 * @returns {Counts}
 */
export const stageCounts = (code, counts) => ({ passed: counts.passed, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed });
