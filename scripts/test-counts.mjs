// @ts-check
import { basename, dirname } from 'node:path';

/**
 * How many tests passed and failed. `flaky` names the tests that passed only at their second try; they count as passed.
 * @typedef {{ passed: number, failed: number, flaky: string[] }} Counts
 */
/** @typedef {{ fullName: string, status: string, meta?: { leftOut?: string } }} VitestTest */
/** @typedef {{ name: string, status: string, assertionResults: VitestTest[] }} VitestFile */
/** @typedef {{ title: string, tests: { projectName: string, status: string }[] }} Spec */
/** @typedef {{ title: string, specs?: Spec[], suites?: Suite[] }} Suite */

/** @param {string} json of vitest's reporter @returns {VitestFile[]} */
const filesOf = (json) => JSON.parse(json).testResults;

/** The files in which something failed, from vitest's JSON report. @param {string} json */
export const failedFiles = (json) =>
  filesOf(json)
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name);

/**
 * The counts of vitest's JSON report. A skipped test shows nothing, so it counts as failed. One that asks SQLite itself
 * and is left out on the other engine (`onSqlite`) does not count.
 * @param {string} json
 * @param {string} [again] the report of a second run of the files that failed. Its results replace the first ones.
 * @returns {Counts}
 */
export function vitestCounts(json, again) {
  const second = new Map((again === undefined ? [] : filesOf(again)).map((file) => [file.name, file]));
  const files = filesOf(json).map((first) => ({ first, last: second.get(first.name) ?? first }));
  const tests = files.flatMap(({ last }) => last.assertionResults).filter(({ meta }) => meta?.leftOut === undefined);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const stumbled = files.filter(({ first, last }) => first.status === 'failed' && last.status === 'passed');
  return { passed, failed: tests.length - passed, flaky: stumbled.flatMap(({ first }) => stumblesIn(first)) };
}

/**
 * The attacks among the tests of vitest's JSON report, by name, with what became of each.
 * @param {string} json
 */
export const attacksIn = (json) =>
  filesOf(json).flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ fullName, status }) => {
      const [, name] = /\battack: (.*)$/s.exec(fullName) ?? [];
      return name === undefined ? [] : [`${status === 'passed' ? 'fails ' : status} ${name}`];
    }),
  );

/** The names of the tests that failed in a file. It is the file itself when no test failed. @param {VitestFile} file */
function stumblesIn({ name, assertionResults }) {
  const place = `${basename(dirname(name))}/${basename(name)}`;
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  return failed.length === 0 ? [place] : failed.map(({ fullName }) => `${place} › ${fullName}`);
}

/** The counts of Playwright's JSON report. Skipped tests count as failed. @param {string} json @returns {Counts} */
export function playwrightCounts(json) {
  /** @type {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, suites: Suite[] }} */
  const { stats, suites } = JSON.parse(json);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + stats.skipped,
    flaky: suites.flatMap((suite) => flakyIn(suite)),
  };
}

/** @param {Suite} suite @param {string} [above] @returns {string[]} */
function flakyIn({ title, specs = [], suites = [] }, above = '') {
  const place = above === '' ? title : `${above} › ${title}`;
  const here = specs.flatMap((spec) =>
    spec.tests.filter(({ status }) => status === 'flaky').map(({ projectName }) => `${place} › ${spec.title} (${projectName})`),
  );
  return [...here, ...suites.flatMap((suite) => flakyIn(suite, place))];
}

/**
 * The counts of a stage. A stage may break without naming a failed test, for example in a check or when a file cannot
 * be loaded. It then counts as one failure, so that no run that went wrong ends with “0 failed”.
 * @param {number} code the stage's exit code
 * @param {Counts} counts
 * @returns {Counts}
 */
export const stageCounts = (code, counts) => ({ ...counts, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed });
