// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../project.mjs';

// `npm run advisories` asks the package registry two things: which known advisories concern the packages of the lock
// file, and which Electron is the newest. It fails on an advisory of severity high or critical, on any advisory of
// Electron, and when Electron is more than one major version behind (its makers support three). Without an answer of
// the registry it says so and passes, so that it can run anywhere. CI gives `--required`, and then that is a failure.

/** How many major versions the Electron of the project may be behind the newest. */
const BEHIND = 1;
const TIMEOUT_MS = 60_000;
const GRAVE = new Set(['high', 'critical']);

/** @typedef {{ name: string, severity: string, via: (string | { title?: string, url?: string })[] }} Vulnerability */

/**
 * What is wrong, one line each.
 * @param {{ vulnerabilities?: Record<string, Vulnerability> }} audit the answer of `npm audit --json`
 * @param {{ newest: string, used: string }} electron
 */
export function findProblems(audit, { newest, used }) {
  const problems = Object.values(audit.vulnerabilities ?? {})
    .filter(({ name, severity }) => GRAVE.has(severity) || name === 'electron')
    .map(({ name, severity, via }) => `${name}: ${severity}. ${via.map(reasonOf).join('; ')}`);
  const behind = majorOf(newest) - majorOf(used);
  if (behind > BEHIND) problems.push(`electron ${used} is ${behind} major versions behind ${newest}; at most ${BEHIND} is allowed.`);
  return problems;
}

/** @param {string | { title?: string, url?: string }} via */
const reasonOf = (via) => (typeof via === 'string' ? `through ${via}` : `${via.title ?? 'no title'} ${via.url ?? ''}`.trim());

/** @param {string} version */
const majorOf = (version) => Number.parseInt(version, 10);

/**
 * Asks the registry through npm.
 * @param {string[]} args
 * @returns {Promise<any>} undefined when there is no answer
 */
async function ask(...args) {
  // `npm audit` ends with 1 when it has found something, so only what it says counts.
  const { output } = await run('npm', [...args, '--json', '--fetch-retries=0', '--loglevel=silent'], {
    quiet: true,
    timeoutMs: TIMEOUT_MS,
  });
  try {
    const answer = JSON.parse(output.slice(output.search(/[[{"]/)));
    return answer.error === undefined && answer.message === undefined ? answer : undefined;
  } catch {
    return undefined;
  }
}

async function main() {
  /** @type {{ devDependencies: { electron: string } }} */
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const audit = await ask('audit');
  const newest = await ask('view', 'electron', 'dist-tags.latest');
  if (audit?.vulnerabilities === undefined || typeof newest !== 'string') {
    console.log('SKIPPED: the package registry gives no answer about advisories. Nothing was checked.');
    process.exitCode = process.argv.includes('--required') ? 1 : 0;
    return;
  }
  const problems = findProblems(audit, { newest, used: devDependencies.electron });
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? 'No advisory that counts, and Electron is young enough.' : `${problems.length} problems.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) await main();
