import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from './project.mjs';

/** The most characters that a subject may have, so that a list of commits shows it whole. */
const MOST = 72;
const OF_GIT = /^Merge (branch|branches|remote-tracking branch|pull request|commit|tag)\b/;
const WITH_AREA = /^[a-z][\w, -]*: \S/i;

/** What is wrong with the subject of a commit, or undefined. @param parents 2 and more for a merge. */
function fault(subject: string, parents: number): string | undefined {
  if (subject.length > MOST) return `has ${subject.length} characters; ${MOST} are the most`;
  if (OF_GIT.test(subject)) return 'names a branch; a merge says what it brings';
  if (parents < 2 && !WITH_AREA.test(subject)) return 'names no area; write "area: what changed"';
  return undefined;
}

/** What git says about this tree, or undefined where it says nothing: no git, or no repository. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/**
 * The newest commit, or undefined. A source archive has none, and one that lies in the repository of somebody else must
 * not be judged by theirs. A commit that a remote branch has cannot be mended any more, so a fresh clone is not judged.
 */
function newestCommit(): { subject: string; parents: number } | undefined {
  const top = git('rev-parse', '--show-toplevel');
  if (top === undefined || realpathSync(top) !== realpathSync(root)) return undefined;
  if (git('branch', '--remotes', '--contains', 'HEAD') !== '') return undefined;
  const [subject, parents] = git('log', '-1', '--format=%s%n%p')?.split('\n') ?? [];
  return subject === undefined ? undefined : { subject, parents: (parents ?? '').split(' ').length };
}

test.each([
  ['ledger: holds end with their packet', 1],
  ['public API: a list begins anew', 1],
  ['scripts, console: one name for both', 1],
  ['counter: receipts as PDF (merge)', 2],
  ['Merge paired tills', 2],
])('the subject %j is as CONTRIBUTING wants it', (subject, parents) => {
  expect(fault(subject, parents)).toBeUndefined();
});

test.each([
  [`ledger: ${'x'.repeat(65)}`, 1, /has 73 characters/],
  ['Mended the ledger', 1, /names no area/],
  ['ledger:', 1, /names no area/],
  ["Merge branch 'x'", 2, /says what it brings/],
  ["Merge branch 'x' into y", 2, /says what it brings/],
  ['Merge pull request #7 from somebody/x', 2, /says what it brings/],
])('the subject %j is not', (subject, parents, words) => {
  expect(fault(subject, parents)).toMatch(words);
});

const newest = newestCommit();

// A skipped test counts as one that failed, so there is none where there is no commit to look at.
if (newest !== undefined) {
  test('the newest commit has a subject as CONTRIBUTING wants it', () => {
    expect(fault(newest.subject, newest.parents)).toBeUndefined();
  });
}
