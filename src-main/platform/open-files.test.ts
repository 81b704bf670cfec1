import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { openFilesLimit, outliveRefusals } from './open-files.ts';

it.runIf(process.platform === 'linux')('the limit is the one that Node reports', () => {
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as unknown as { userLimits: { open_files: { soft: number | string } } };
  const { soft } = userLimits.open_files;
  expect(openFilesLimit()).toBe(soft === 'unlimited' ? undefined : soft);
});

it('a listener goes on when the system gives it no connection, and the log tells it once a minute', () => {
  const server = new EventEmitter();
  const warn = vi.fn();
  outliveRefusals(server, { warn });
  const refused = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' });
  expect(() => server.emit('error', refused), 'before it listens').toThrow('EMFILE');
  server.emit('listening');
  for (let times = 0; times < 3; times++) server.emit('error', refused);
  expect(warn).toHaveBeenCalledTimes(1);
});
