import { describe, expect, it } from 'vitest';
import { attacksIn, failedFiles, playwrightCounts, stageCounts, vitestCounts } from './test-counts.mjs';

const file = (name: string, ...statuses: string[]) => ({
  name: `/project/e2e/${name}`,
  status: statuses.every((status) => status === 'passed') && statuses.length > 0 ? 'passed' : 'failed',
  assertionResults: statuses.map((status, nth) => ({ fullName: `does ${nth + 1}`, status })),
});
const report = (...testResults: ReturnType<typeof file>[]) => JSON.stringify({ testResults });

describe('test counts', () => {
  it('count every vitest test that did not pass as failed', () => {
    const counts = vitestCounts(report(file('a.test.ts', 'passed', 'failed'), file('b.test.ts', 'skipped', 'todo', 'passed')));
    expect(counts).toEqual({ passed: 2, failed: 3, flaky: [] });
  });

  it('leave out what a test says is not for the engine of the run', () => {
    const json = report(file('a.test.ts', 'passed', 'skipped', 'skipped'));
    const told = JSON.parse(json, (key, value) =>
      key === 'assertionResults'
        ? value.map((one: object, nth: number) => (nth === 1 ? { ...one, meta: { leftOut: 'why' } } : one))
        : value,
    );
    expect(vitestCounts(JSON.stringify(told))).toEqual({ passed: 1, failed: 1, flaky: [] });
  });

  it('take the results of a second run for the files that failed, and name the tests that passed only then', () => {
    const first = report(file('a.test.ts', 'passed', 'failed'), file('b.test.ts', 'passed'), file('c.test.ts', 'skipped'));
    expect(failedFiles(first)).toEqual(['/project/e2e/a.test.ts', '/project/e2e/c.test.ts']);
    const again = report(file('a.test.ts', 'passed', 'passed'), file('c.test.ts', 'passed'));
    expect(vitestCounts(first, again)).toEqual({ passed: 4, failed: 0, flaky: ['e2e/a.test.ts › does 2', 'e2e/c.test.ts'] });
    const broken = report(file('a.test.ts', 'passed', 'failed'), file('c.test.ts', 'passed'));
    expect(vitestCounts(first, broken)).toEqual({ passed: 3, failed: 1, flaky: ['e2e/c.test.ts'] });
  });

  it('count Playwright tests that passed at their second try as passed and name them, and skipped ones as failed', () => {
    const test = (title: string, status: string) => ({ title, tests: [{ projectName: 'headless', status }] });
    const suites = [{ title: 'a.spec.ts', specs: [test('one', 'expected')], suites: [{ title: 'inside', specs: [test('two', 'flaky')] }] }];
    const counted = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 1 }, suites };
    expect(playwrightCounts(JSON.stringify(counted))).toEqual({ passed: 6, failed: 2, flaky: ['a.spec.ts › inside › two (headless)'] });
  });

  it('name the attacks that were tried, and those that did not fail', () => {
    const json = report(file('a.test.ts', 'passed', 'failed', 'passed'));
    const named = json.replace('does 1', 'PINs attack: a PIN is tried 1,000 times').replace('does 2', 'attack: a key makes a key');
    expect(attacksIn(named)).toEqual(['fails  a PIN is tried 1,000 times', 'failed a key makes a key']);
  });

  it('always count a failure for a stage that broke', () => {
    expect(stageCounts(1, { passed: 3, failed: 0, flaky: [] })).toEqual({ passed: 3, failed: 1, flaky: [] });
    expect(stageCounts(1, { passed: 3, failed: 2, flaky: [] })).toEqual({ passed: 3, failed: 2, flaky: [] });
    expect(stageCounts(0, { passed: 3, failed: 0, flaky: ['a'] })).toEqual({ passed: 3, failed: 0, flaky: ['a'] });
  });
});
