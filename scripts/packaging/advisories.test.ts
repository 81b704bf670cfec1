import { expect, it } from 'vitest';
import { findProblems } from './advisories.mjs';

const young = { newest: '43.1.0', used: '42.9.1' };
const vulnerability = (name: string, severity: string) => ({
  [name]: { name, severity, via: [{ title: 'Reads memory', url: 'https://a.example/1' }] },
});

it('the command finds no problem when there is no advisory and Electron is young', () => {
  expect(findProblems({ vulnerabilities: {} }, young)).toEqual([]);
});

it('the command names grave advisories of any package, and every advisory of Electron', () => {
  const vulnerabilities = { ...vulnerability('a', 'high'), ...vulnerability('b', 'moderate'), ...vulnerability('electron', 'low') };
  expect(findProblems({ vulnerabilities }, young)).toEqual([
    'a: high. Reads memory https://a.example/1',
    'electron: low. Reads memory https://a.example/1',
  ]);
  const through = { c: { name: 'c', severity: 'critical', via: ['a'] } };
  expect(findProblems({ vulnerabilities: through }, young)).toEqual(['c: critical. through a']);
});

it('the command names an Electron that is more than one major version behind', () => {
  expect(findProblems({}, { newest: '44.0.0', used: '42.9.1' })).toEqual([
    'electron 42.9.1 is 2 major versions behind 44.0.0; at most 1 is allowed.',
  ]);
});
