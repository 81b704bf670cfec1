// @ts-check
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './project.mjs';
import { projectFiles } from './project-files.mjs';
import { circles } from './rules/circles.mjs';
import { brokenCitations } from './rules/citations.mjs';
import { fragments, longComments } from './rules/comments.mjs';
import { zodInConsole } from './rules/console-reach.mjs';
import { crossedRooms } from './rules/console-rooms.mjs';
import { deadExports } from './rules/dead-exports.mjs';
import { namedSides } from './rules/directions.mjs';
import { equalCode } from './rules/equal-code.mjs';
import { brokenFloors } from './rules/floors.mjs';
import { narrowingMigrations } from './rules/migrations.mjs';
import { crowdedRooms } from './rules/rooms.mjs';
import { screenWords } from './rules/screen-words.mjs';
import { passedSeams } from './rules/seams.mjs';
import { readSources } from './rules/source-cache.mjs';
import { testFiles } from './rules/test-files.mjs';
import { forbiddenWords } from './rules/words.mjs';

/** @typedef {import('./rules/floors.mjs').Violation} Violation */

const SOURCE = /^src-(main|shared|renderer)\/.*\.tsx?$/;
/** Other code. It must be divided into rooms, too. */
const BESIDE = /^(e2e|bench)\/.*\.(ts|mjs)$/;
const TEST = /\.(test|spec)\.tsx?$/;
/** This file contains the forbidden words, because it lists them. */
const THE_RULES = 'scripts/rules/words.mjs';

/**
 * Everything in `files` (path in the project → text) that breaks a rule of the project.
 * @param {Map<string, string>} files
 * @param {string} [cacheFile] what was read of the sources is remembered here for the next run
 * @returns {Promise<Violation[]>}
 */
export async function violations(files, cacheFile) {
  const sources = await readSources(new Map([...files].filter(([path]) => SOURCE.test(path))), cacheFile);
  const tests = testFiles(sources);
  const beside = new Map([...files].filter(([path]) => BESIDE.test(path)));
  const everything = new Map([...sources, ...(await readSources(beside, cacheFile?.replace('sources', 'beside')))]);
  return [
    ...[...sources].flatMap(([path, source]) => brokenFloors(path, source, tests)),
    ...[...sources].flatMap(([path, source]) => crossedRooms(path, source)),
    ...[...sources].filter(([path]) => !tests.has(path)).flatMap(([path, source]) => passedSeams(path, source, files.get(path) ?? '')),
    ...zodInConsole(sources, tests),
    ...screenWords(sources, tests, files),
    ...circles(everything, new Set([...tests, ...[...beside.keys()].filter((path) => TEST.test(path))])),
    ...equalCode(new Map([...files].filter(([path]) => sources.has(path) && !tests.has(path)))),
    ...crowdedRooms([...sources.keys(), ...[...beside.keys()].filter((path) => !TEST.test(path))], tests),
    ...[...files].flatMap(([path, text]) => [...longComments(path, text), ...fragments(path, text)]),
    ...[...files].flatMap(([path, text]) => namedSides(path, text)),
    ...[...files].flatMap(([path, text]) => narrowingMigrations(path, text)),
    ...brokenCitations(files),
    ...deadExports(files),
    ...[...files].filter(([path]) => path !== THE_RULES).flatMap(([path, text]) => forbiddenWords(path, text)),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = projectFiles(root);
  const found = await violations(files, join(root, 'node_modules/.cache/paydesk/sources.json'));
  for (const { path, line, words } of found) console.error(`${path}:${line} ${words}`);
  console.log(found.length === 0 ? `${files.size} files keep the rules of the house.` : `${found.length} broken rules.`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
