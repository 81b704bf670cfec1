// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { root } from '../project.mjs';

/** A test that takes this long under a mutant hangs, in milliseconds. */
const HANGS_MS = 20_000;

/** @type {import('./operators.mjs').Mutant | undefined} */
let active;
/** Whether a test has loaded the mutant. */
let isLoaded = false;
// The mutated text exists only in the memory of this process. No file of the project changes.
const plugin = {
  name: 'mutant',
  enforce: /** @type {const} */ ('pre'),
  /** @param {string} id */
  load(id) {
    if (active === undefined || id.split('?')[0] !== join(root, active.file)) return undefined;
    isLoaded = true;
    const text = readFileSync(join(root, active.file), 'utf8');
    if (text.slice(active.start, active.end) !== active.original) throw new Error(`${active.file} was changed meanwhile`);
    return text.slice(0, active.start) + active.replacement + text.slice(active.end);
  },
};
const vitest = await createVitest(
  'test',
  {
    ...{
      root,
      watch: false,
      bail: 1,
      reporters: [{}],
      maxWorkers: 1,
      retry: 0,
      // The cache would keep mutants on the disk, and give a mutant the code of another one.
      fsModuleCache: false,
      testTimeout: HANGS_MS,
      hookTimeout: HANGS_MS,
    },
    expect: { poll: { timeout: HANGS_MS / 2 } },
  },
  { plugins: [plugin] },
);
await vitest.standalone();
const project = vitest.getRootProject();

/** @param {string} test @returns {Promise<string | undefined>} why the test file fails */
async function failureOf(test) {
  vitest.state.clearErrors();
  const path = join(root, test);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([project.createSpecification(path)], false);
  // The result tells of the test files of earlier runs, too.
  for (const module of testModules.filter(({ moduleId }) => moduleId === path)) {
    for (const error of module.errors()) return error.message;
    for (const one of module.children.allTests('failed')) return `${one.fullName}: ${one.result().errors?.[0]?.message}`;
    for (const suite of module.children.allSuites()) for (const error of suite.errors()) return error.message;
    if (!module.ok()) return 'the test file failed';
  }
  const [error] = unhandledErrors;
  return error === undefined ? undefined : String(/** @type {Error} */ (error).message);
}

/** Test files that were seen to pass without a mutant. A file that fails anyway kills nothing. */
const sound = new Set();

/** Makes the next run load these files anew: one with its mutant, and another one without the mutant it had before. */
function change(/** @type {import('./operators.mjs').Mutant | undefined} */ next) {
  for (const mutant of [active, next]) if (mutant !== undefined) vitest.invalidateFile(join(root, mutant.file));
  [active, isLoaded] = [next, false];
}

process.on('message', async (/** @type {{ mutant: import('./operators.mjs').Mutant, tests: string[] }} */ { mutant, tests }) => {
  for (const test of tests) {
    process.send?.({ kind: 'tries', test });
    change(mutant);
    const why = await failureOf(test);
    if (!isLoaded) {
      process.send?.({ kind: 'broken', test, why: 'it does not load the file of the mutant' });
      return;
    }
    if (why === undefined) continue;
    change(undefined);
    const anyway = sound.has(test) ? undefined : await failureOf(test);
    if (anyway !== undefined) {
      process.send?.({ kind: 'broken', test, why: anyway });
      return;
    }
    sound.add(test);
    process.send?.({ kind: /timed out/i.test(why) ? 'hangs' : 'killed', test, why });
    return;
  }
  process.send?.({ kind: 'survived' });
});
process.on('disconnect', () => process.exit());
process.send?.({ kind: 'ready' });
