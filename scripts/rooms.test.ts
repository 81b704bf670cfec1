import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';

const HOUSES = ['src-main', 'src-shared', 'src-renderer', 'e2e'];
/** The folders that hold the rooms of the node; the floors describe them. */
const NOT_LISTED = ['src-main'];

/** Every folder below, without those for test support. */
function folders(path: string): string[] {
  const inside = readdirSync(join(root, path), { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'testing');
  return [path, ...inside.flatMap(({ name }) => folders(`${path}/${name}`))];
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
