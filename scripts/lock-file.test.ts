import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';

interface Manifest {
  scripts?: Record<string, string>;
}

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Whether npm runs a script when it installs the package. A `binding.gyp` counts as a script. */
function hasInstallScript(folder: string): boolean {
  const { scripts = {} }: Manifest = readJson(`${folder}/package.json`);
  const named = ['preinstall', 'install', 'postinstall'].some((name) => scripts[name] !== undefined);
  return named || existsSync(join(root, folder, 'binding.gyp'));
}

test('the lock file marks every package that runs a script, so that npm does not change it when it installs', () => {
  const packages: Record<string, { hasInstallScript?: boolean }> = readJson('package-lock.json').packages;
  const installed = Object.keys(packages).filter((folder) => folder !== '' && existsSync(join(root, folder, 'package.json')));
  const marked = installed.filter((folder) => packages[folder]?.hasInstallScript === true);
  expect(marked).toEqual(installed.filter(hasInstallScript));
});
