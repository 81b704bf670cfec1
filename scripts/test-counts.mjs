// @ts-check
import { basename, dirname } from 'node:path';

/**
 * How many tests passed and failed. `flaky` names the tests that passed only at their second try; they count as passed.
 * @typedef {{ passed: number, failed: number, flaky: string[] }} Counts
 */
/** @typedef {{ fullName: string, status: string }} VitestTest */
/** @typedef {{ name: string, status: string, assertionResults: VitestTest[] }} VitestFile */
/** @typedef {{ title: string, tests: { projectName: string, status: string }[] }} Spec */
/** @typedef {{ title: string, specs?: Spec[], suites?: Suite[] }} Suite */

/** @param {string} json of vitest's reporter @returns {VitestFile[]} */
const filesOf = (json) => JSON.parse(json).testResults;

/** The files in which something failed, by what vitest's JSON reporter wrote. @param {string} json */
export const failedFiles = (json) =>
  filesOf(json)
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name);

/**
 * What vitest's JSON reporter counted. A skipped test shows nothing, so it counts as failed.
 * @param {string} json
 * @param {string} [again] of a second run of the files that failed: what it says of them counts
 * @returns {Counts}
 */
export function vitestCounts(json, again) {
  const second = new Map((again === undefined ? [] : filesOf(again)).map((file) => [file.name, file]));
  const files = filesOf(json).map((first) => ({ first, last: second.get(first.name) ?? first }));
  const tests = files.flatMap(({ last }) => last.assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const stumbled = files.filter(({ first, last }) => first.status === 'failed' && last.status === 'passed');
  return { passed, failed: tests.length - passed, flaky: stumbled.flatMap(({ first }) => stumblesIn(first)) };
}

/** What failed in a file, or the file itself when it was none of its tests. @param {VitestFile} file */
function stumblesIn({ name, assertionResults }) {
  const place = `${basename(dirname(name))}/${basename(name)}`;
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  return failed.length === 0 ? [place] : failed.map(({ fullName }) => `${place} › ${fullName}`);
}

/** What Playwright's JSON reporter counted, by the same rule. @param {string} json @returns {Counts} */
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
 * A stage's counts. A stage that broke without naming a failed test, such as a check or a file that cannot be loaded,
 * counts as one failure: no run that went wrong ends with “0 failed”.
 * @param {number} code the stage's exit code
 * @param {Counts} counts
 * @returns {Counts}
 */
export const stageCounts = (code, counts) => ({ ...counts, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed });
