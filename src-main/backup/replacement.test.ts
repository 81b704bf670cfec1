import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ReportedError } from '../platform/errors.ts';
import { watchFailPoints } from '../platform/fail-points.ts';
import { asideName, decideReplacement, finishReplacement, forgetReturning, lastReplacement, preparedFolder } from './replacement.ts';

const AT = Date.parse('2026-11-21T19:30:00Z');
const REPLACEMENT = {
  ...{ id: 'one', madeAt: '2026-11-20T10:00:00.000Z', at: AT, keptAside: asideName(AT) },
  returning: { secretHash: 'hash', expiresAt: AT + 1_000 },
};
/** The files of a node that was killed, with every file that can lie beside its database. */
const OLD = ['node-secrets.json', 'node-secrets.next.json', 'generation', 'paydesk.db', 'paydesk.db-wal', 'paydesk.db-shm'];
const NEW = ['node-secrets.json', 'paydesk.db'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-replacement-'));
  prepare();
});
afterEach(() => {
  watchFailPoints();
  rmSync(folder, { recursive: true, force: true });
});

function prepare(): void {
  for (const name of OLD) writeFileSync(join(folder, name), `old ${name}`);
  for (const name of ['operator-token', 'backups']) writeFileSync(join(folder, name), 'stays');
  mkdirSync(preparedFolder(folder), { recursive: true });
  for (const name of NEW) writeFileSync(join(preparedFolder(folder), name), `new ${name}`);
}

const contents = (place: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(place).flatMap((name) => (name.includes('.json') && name.startsWith('restore') ? [] : [[name, read(place, name)]])),
  );

const read = (place: string, name: string): string => (name.startsWith('replaced-') ? 'folder' : readFileSync(join(place, name), 'utf8'));

const RESTORED = {
  ...{ backups: 'stays', 'operator-token': 'stays', [REPLACEMENT.keptAside]: 'folder' },
  ...{ 'node-secrets.json': 'new node-secrets.json', 'paydesk.db': 'new paydesk.db' },
};
const ASIDE = Object.fromEntries(OLD.map((name) => [name, `old ${name}`]));

it('a replacement puts the new node in place and keeps the whole old one aside', () => {
  decideReplacement(folder, REPLACEMENT);
  finishReplacement(folder);
  expect(contents(folder)).toEqual(RESTORED);
  expect(contents(join(folder, REPLACEMENT.keptAside))).toEqual(ASIDE);
  expect(lastReplacement(folder)).toEqual(REPLACEMENT);
  finishReplacement(folder);
  expect(contents(folder)).toEqual(RESTORED);
});

it('a replacement deletes a prepared node that was not decided on', () => {
  finishReplacement(folder);
  expect(existsSync(preparedFolder(folder))).toBe(false);
  expect(Object.keys(contents(folder)).toSorted()).toEqual([...OLD, 'backups', 'operator-token'].toSorted());
  expect(lastReplacement(folder)).toBeUndefined();
});

it('a replacement leaves either the old node or the new one, at whichever step it is interrupted, even twice', () => {
  let steps = 0;
  watchFailPoints(() => {
    steps += 1;
  });
  decideReplacement(folder, REPLACEMENT);
  finishReplacement(folder);
  expect(steps).toBeGreaterThan(OLD.length);
  for (let dies = 1; dies <= steps; dies += 1) {
    for (const again of [undefined, 1, 2]) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      prepare();
      dieAt(dies, () => {
        decideReplacement(folder, REPLACEMENT);
        finishReplacement(folder);
      });
      if (again !== undefined) dieAt(again, () => finishReplacement(folder));
      watchFailPoints();
      finishReplacement(folder);
      const where = `killed at step ${dies}, then at ${again}`;
      if (dies === 1) expect(contents(folder), where).not.toHaveProperty(REPLACEMENT.keptAside);
      else {
        expect(contents(folder), where).toEqual(RESTORED);
        expect(contents(join(folder, REPLACEMENT.keptAside)), where).toEqual(ASIDE);
      }
    }
  }
});

/** Runs `work` until it passes the step with this number. */
function dieAt(step: number, work: () => void): void {
  let passed = 0;
  watchFailPoints(() => {
    passed += 1;
    if (passed === step) throw new Error('killed');
  });
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && error.message === 'killed')) throw error;
  }
}

it('a replacement lets the browser sign in again until it is told to forget that, and then keeps everything else', () => {
  decideReplacement(folder, REPLACEMENT);
  finishReplacement(folder);
  expect(lastReplacement(folder)).toEqual(REPLACEMENT);
  forgetReturning(folder);
  const { returning: _, ...rest } = REPLACEMENT;
  expect(lastReplacement(folder)).toEqual(rest);
  forgetReturning(folder);
  expect(lastReplacement(folder)).toEqual(rest);
});

it('a replacement changes nothing when it cannot read what was decided, and tells the operator to move nothing', () => {
  decideReplacement(folder, REPLACEMENT);
  dieAt(4, () => finishReplacement(folder));
  watchFailPoints();
  writeFileSync(join(folder, 'restore.json'), '{"id":"one"');
  const whole = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')])
      .toSorted();
  const before = whole();
  expect(() => finishReplacement(folder)).toThrow(ReportedError);
  expect(() => finishReplacement(folder)).toThrow(/Leave everything in that folder as it is.*command restore, into another folder/);
  expect(whole()).toEqual(before);
});

it('a replacement tells of no replacement when the file that records the last one is not readable', () => {
  writeFileSync(join(folder, 'restored.json'), 'nonsense');
  finishReplacement(folder);
  expect(lastReplacement(folder)).toBeUndefined();
  forgetReturning(folder);
});
