// @ts-check
import { targetOf } from './test-files.mjs';

/**
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./floors.mjs').Violation} Violation
 */

/**
 * Rooms of src-renderer that other rooms may import, each with the rooms that it may import itself. Every other room is
 * a feature: the folder of some screens.
 */
const COMMON = new Map([
  ['transport', []],
  ['components', ['transport']],
]);
/** The frame around all screens locks and unlocks the console. */
const SHELL = ['lock', ...COMMON.keys()];

/**
 * @param {string} path
 * @returns {string | undefined} the room of the file. It is undefined for the files that put the console together.
 */
const roomOf = (path) => /^src-renderer\/([^/]+)\//.exec(path)?.[1];

/** @param {string} room */
const mayImport = (room) => COMMON.get(room) ?? (room === 'shell' ? SHELL : [...COMMON.keys()]);

/**
 * Finds imports of the console from one feature into another, or from a common room into a feature.
 * @param {string} path
 * @param {Source} source
 * @returns {Violation[]}
 */
export function crossedRooms(path, source) {
  const room = roomOf(path);
  if (room === undefined || room === 'testing') return [];
  return source.imports.flatMap(({ specifier, line }) => {
    const other = specifier.startsWith('.') ? roomOf(targetOf(path, specifier)) : undefined;
    if (other === undefined || other === room || other === 'testing' || mayImport(room).includes(other)) return [];
    return [{ path, line, words: `${room} may not import ${other}: what several features use lies in components` }];
  });
}
