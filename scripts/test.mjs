// @ts-check
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { buildIfNeeded } from './build-if-needed.mjs';
import { needingPostgres } from './postgres/needing-postgres.mjs';
import { commandOf, root, runNode, seconds } from './project.mjs';
import { attacksIn, failedFiles, playwrightCounts, stageCounts, vitestCounts } from './test-counts.mjs';

// `npm test` runs all stages, the cheapest first. The first stage that fails ends the run.
const reports = join(root, 'test-results/reports');
const script = (/** @type {string} */ name) => join(root, 'scripts', name);

/** The most failed files that run again. When more files fail, something is broken. */
const MOST_AGAIN = 5;

/**
 * A stage of vitest. Files in which something failed run once more, each from its beginning with new nodes and folders.
 * A test that fails twice is broken. A test that passes the second time is named as flaky.
 * @param {string} name
 * @param {{ options?: () => string[], files?: string[], env?: Record<string, string> }} [what] Without `files` all run.
 */
function vitest(name, { options = () => [], files = [], env = {} } = {}) {
  const [report, reportAgain] = [join(reports, `${name}.json`), join(reports, `${name}-again.json`)];
  const start = (/** @type {string[]} */ chosen, /** @type {string} */ outputFile) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
    return runNode(commandOf('vitest'), ['run', ...options(), ...chosen, ...reporters], { env });
  };
  return {
    run: async () => {
      const first = await start(files, report);
      const failed = first.code !== 0 && existsSync(report) ? failedFiles(readFileSync(report, 'utf8')) : [];
      if (failed.length === 0 || failed.length > MOST_AGAIN) return first;
      console.log(`\n▸ ${name}, once more what failed`);
      return await start(failed, reportAgain);
    },
    count: () => vitestCounts(readFileSync(report, 'utf8'), existsSync(reportAgain) ? readFileSync(reportAgain, 'utf8') : undefined),
  };
}

const consoleReport = join(reports, 'console.json');
const unitReport = join(reports, 'unit.json');

/** @param {() => Promise<unknown>} work that ends the process itself when it fails */
const step = (work) => async () => {
  await work();
  return { code: 0 };
};

/** Starts the one PostgreSQL server of this run. The stages of vitest take it from the environment. */
async function startPostgres() {
  const { testServer } = await import('../src-main/platform/database/testing/postgres-server.ts');
  const server = await testServer();
  process.env.PAYDESK_TEST_DATABASE = server?.url ?? 'none';
  return server;
}

/**
 * @type {{
 *   name: string,
 *   run: () => Promise<{ code: number }>,
 *   count?: () => import('./test-counts.mjs').Counts,
 * }[]}
 */
const STAGES = [
  { name: 'check', run: () => runNode(script('check.mjs')) },
  { name: 'unit tests', ...vitest('unit') },
  { name: 'build', run: step(buildIfNeeded) },
  { name: 'browser', run: step(ensureBrowser) },
  {
    name: 'console and desktop (stand-in where there is no Electron)',
    run: () =>
      runNode(script('e2e.mjs'), ['--reporter=list,json'], { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: consoleReport, PAYDESK_E2E_SHORT: '1' } }),
    count: () => playwrightCounts(readFileSync(consoleReport, 'utf8')),
  },
  { name: 'node from outside', ...vitest('node', { options: () => ['--config', 'e2e/vitest.config.ts'] }) },
];

// The tests start some hundred nodes and workers of the same code. Each would compile all of it anew.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/paydesk/compiled');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const total = { passed: 0, failed: 0 };
/** @type {string[]} */
const summary = [];
// The last line of the output gives the result, even when a step ends the process itself.
let unfinished = true;
process.on('exit', () => {
  if (unfinished) total.failed += 1;
  console.log(`\n${summary.join('\n')}\ntests: ${total.passed} passed, ${total.failed} failed`);
});
const server = await startPostgres();
for (const { name, run, count } of STAGES) {
  console.log(`\n▸ ${name}`);
  const start = performance.now();
  const { code } = await run();
  const { passed, failed, flaky } = stageCounts(code, readCounts(count));
  if (name === 'unit tests' && existsSync(unitReport))
    console.log(`\nattacks\n${attacksIn(readFileSync(unitReport, 'utf8')).sort().join('\n')}`);
  total.passed += passed;
  total.failed += failed;
  summary.push(
    `${failed === 0 ? 'ok    ' : 'FAILED'} ${name} (${count === undefined ? '' : `${passed} passed, `}${seconds(performance.now() - start)})`,
    ...flaky.map((one) => `flaky  ${one}`),
  );
  if (failed > 0) break;
}
await server?.stop();
// The configurations of the stages leave them out.
if (server === undefined)
  summary.push(`left out without a PostgreSQL server: e2e/cluster, shared-books.spec.ts, ${needingPostgres().join(', ')}`);
unfinished = false;
process.exitCode = total.failed === 0 ? 0 : 1;

/**
 * The counts of a stage. A stage that broke before it wrote its report has counted nothing.
 * @param {undefined | (() => import('./test-counts.mjs').Counts)} count
 */
function readCounts(count) {
  try {
    return count?.() ?? { passed: 0, failed: 0, flaky: [] };
  } catch {
    return { passed: 0, failed: 0, flaky: [] };
  }
}
