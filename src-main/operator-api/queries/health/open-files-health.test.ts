import { expect, it } from 'vitest';
import { healthText } from '../../../../src-shared/words/health.ts';
import { openFilesHealth } from './open-files-health.ts';

it('the health page tells of a limit of open files that is too low, and of nothing where it is not or nobody knows', () => {
  expect([undefined, 4_000, 65_536].flatMap((openFiles) => openFilesHealth({ openFiles }))).toEqual([]);
  const checks = openFilesHealth({ openFiles: 3_999 });
  expect(checks).toEqual([{ name: 'open_files', state: 'warning', limit: 3_999, needed: 4_000 }]);
  expect(checks.map(healthText)).toEqual([expect.stringContaining('raise that limit (ulimit -n')]);
});
