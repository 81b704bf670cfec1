import { expect, it } from 'vitest';
import { healthText } from '../../../../src-shared/words/health.ts';
import { LogOutput } from '../../../platform/logs/log-output.ts';
import { createLogger } from '../../../platform/logs/logger.ts';
import { logHealth } from './log-health.ts';

it('the health page tells of a log that cannot be written, of lost lines, and of nothing while all is well', () => {
  let full = false;
  const output = new LogOutput((bytes, done) => done(full ? new Error('full') : null, bytes.length));
  const log = createLogger('info', output);
  log.info('a line');
  expect(logHealth({ log })).toEqual([]);
  output.lose();
  expect(logHealth({ log })).toEqual([{ name: 'log', state: 'good', lost: 1, waits: false }]);
  full = true;
  log.info('a line');
  const checks = logHealth({ log });
  expect(checks).toEqual([{ name: 'log', state: 'warning', lost: 1, waits: true }]);
  expect(checks.map(healthText)).toEqual([expect.stringMatching(/cannot write its log\. 1 line is lost .* Make room on the disk/)]);
});
