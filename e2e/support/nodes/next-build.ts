import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { OtherMigrations } from '../../../src-main/platform/database/testing/other-migrations.ts';
import { type NodeBuild, THIS_BUILD } from './running-node.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Copies the built node and gives the copy one more migration of PostgreSQL, as the next version has it.
 * @param sql what the migration does. Its statements are divided as in the folder `drizzle`.
 */
export function nextBuild(sql: string): { build: NodeBuild; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-next-'));
  cpSync(join(ROOT, 'out'), join(folder, 'out'), { recursive: true });
  cpSync(join(ROOT, 'drizzle'), join(folder, 'drizzle'), { recursive: true });
  const migrations = new OtherMigrations(folder, join(ROOT, 'drizzle/postgres')).followedBy(sql);
  cpSync(migrations, join(folder, 'drizzle/postgres'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const build = { ...THIS_BUILD, headless: join(folder, 'out/main/headless.js') };
  return { build, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
