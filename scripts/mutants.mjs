// @ts-check
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mutantsOf } from './mutants/operators.mjs';
import { EXPLAINED, PLACES } from './mutants/places.mjs';
import { root, seconds } from './project.mjs';

/** @typedef {import('./mutants/operators.mjs').Mutant} Mutant */
/** @typedef {'ready' | 'tries' | 'killed' | 'hangs' | 'survived' | 'broken'} Kind */
/** @typedef {{ kind: Kind, test?: string, why?: string }} Answer */

/** The least part of the mutants that the tests have to kill, in percent. */
const LEAST = 95;
/** A mutant that takes longer than this in one test file keeps its process in an endless loop. In milliseconds. */
const STUCK_MS = 300_000;

/**
 * All mutants of some rooms.
 * @param {readonly string[]} rooms
 * @throws {Error} when a place of the list, or a mutant that is explained, is gone.
 */
export function plan(rooms = Object.keys(PLACES)) {
  const places = rooms.map((room) => {
    const files = PLACES[room];
    if (files === undefined) throw new Error(`There is no room ${room}. The rooms are ${Object.keys(PLACES).join(', ')}.`);
    const found = Object.entries(files).map(([file, { names }]) => mutantsOf(file, readFileSync(join(root, file), 'utf8'), names));
    return { room, mutants: found.flatMap(({ mutants }) => mutants), lines: found.reduce((sum, { lines }) => sum + lines, 0) };
  });
  const keys = new Set(places.flatMap(({ mutants }) => mutants.map(({ key }) => key)));
  const files = new Set(rooms.flatMap((room) => Object.keys(PLACES[room] ?? {})));
  const gone = Object.keys(EXPLAINED).filter((key) => files.has(key.split(' ')[0] ?? '') && !keys.has(key));
  if (gone.length > 0) throw new Error(`The mutant no longer applies: ${gone.join('; ')}`);
  return places;
}

/**
 * Tries mutants, on every core.
 * @param {Mutant[]} mutants
 * @param {(mutant: Mutant, answer: Answer) => void} tell
 */
async function tryAll(mutants, tell) {
  const waiting = [...mutants];
  const testsOf = new Map(Object.values(PLACES).flatMap((files) => Object.entries(files).map(([file, { tests }]) => [file, tests])));
  const work = async () => {
    let child = await start();
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const answer = await ask(child, { mutant, tests: testsOf.get(mutant.file) ?? [] });
      if (answer === undefined) {
        child.kill('SIGKILL');
        child = await start();
      }
      tell(mutant, answer ?? { kind: 'hangs', why: 'the process did not answer' });
    }
    child.disconnect();
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(availableParallelism(), mutants.length)) }, work));
}

async function start() {
  const child = fork(join(root, 'scripts/mutants/worker.mjs'), {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // No place is in the driver of PostgreSQL, so that no server has to be started for each worker.
    env: { ...process.env, PAYDESK_TEST_DATABASE: 'none' },
  });
  const ready = await next(child);
  if (ready === undefined) throw new Error('the tests could not be started');
  return child;
}

/** @param {import('node:child_process').ChildProcess} child @param {object} message */
async function ask(child, message) {
  child.send(message);
  return await next(child);
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<Answer | undefined>} */
async function next(child) {
  const { promise, resolve } = Promise.withResolvers();
  const timer = setTimeout(() => resolve(undefined), STUCK_MS);
  child.on('message', (/** @type {Answer} */ answer) => (answer.kind === 'tries' ? timer.refresh() : resolve(answer)));
  child.once('exit', () => resolve(undefined));
  const answer = await promise;
  clearTimeout(timer);
  child.removeAllListeners();
  return answer;
}

/** @param {string[]} args rooms, and words that a mutant's place has to contain; see CONTRIBUTING.md */
async function main(args) {
  const began = performance.now();
  const rooms = args.filter((arg) => arg in PLACES);
  const words = args.filter((arg) => !(arg in PLACES));
  const places = plan(rooms.length > 0 ? rooms : undefined).map(({ room, lines, mutants }) => ({
    ...{ room, lines },
    mutants: mutants.filter(({ key }) => words.length === 0 || words.some((word) => key.includes(word))),
  }));
  const all = places.flatMap(({ mutants }) => mutants);
  console.log(`${all.length} mutants of ${places.reduce((sum, { lines }) => sum + lines, 0)} lines`);
  /** @type {Map<Mutant, Answer>} */
  const answers = new Map();
  await tryAll(
    all.filter(({ key }) => EXPLAINED[key] === undefined),
    (mutant, answer) => {
      answers.set(mutant, answer);
      if (answer.kind !== 'killed')
        console.log(`${answer.kind}  ${mutant.key}${answer.why === undefined ? '' : `\n    ${answer.test ?? ''} ${answer.why}`}`);
      if (process.env.MUTANTS_TELL !== undefined && answer.kind === 'killed')
        console.log(`killed  ${mutant.key}\n    ${answer.test} ${answer.why?.slice(0, 200)}`);
    },
  );
  for (const { room, mutants, lines } of places) {
    /** @param {Kind} kind */
    const count = (kind) => mutants.filter((mutant) => answers.get(mutant)?.kind === kind).length;
    const explained = mutants.filter(({ key }) => EXPLAINED[key] !== undefined).length;
    const [killed, hangs] = [count('killed'), count('hangs')];
    const percent = Math.floor(((killed + hangs) / (mutants.length - explained)) * 1_000) / 10;
    const survived = count('survived') + count('broken');
    console.log(
      `${room}: ${lines} lines, ${mutants.length} mutants, ${killed} killed, ${hangs} hang, ${survived} survived, ${explained} explained: ${percent} %`,
    );
    if (percent < LEAST) process.exitCode = 1;
  }
  console.log(seconds(performance.now() - began));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
