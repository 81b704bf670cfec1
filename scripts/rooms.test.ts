import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';

const HOUSES = ['src-main', 'src-shared', 'src-renderer', 'e2e', 'bench', 'scripts'];
/** Folders that are not rooms themselves: they hold the rooms of the node. */
const NOT_LISTED = ['src-main'];

/**
 * Every folder with files below it, without the folders for test support. Empty folders do not count: Git does not
 * store them, but leaves them behind when it moves files.
 */
function folders(path: string): string[] {
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  const inside = entries
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .flatMap(({ name }) => folders(`${path}/${name}`));
  return inside.length > 0 || entries.some((entry) => entry.isFile()) ? [path, ...inside] : [];
}

test('docs/architecture.md lists every room, and no other', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const [, list = ''] = text.split('\n## The rooms\n');
  const [rooms = ''] = list.split('\n## ');
  const listed = [...rooms.matchAll(/^\| `([\w/-]+)` \|/gm)].map(([, room]) => room ?? '');
  expect(listed.toSorted()).toEqual(
    HOUSES.flatMap(folders)
      .filter((folder) => !NOT_LISTED.includes(folder))
      .toSorted(),
  );
});
