import { expect, it } from 'vitest';
import { healthText } from '../../../../src-shared/words/health.ts';
import { overloadHealth } from './overload-health.ts';

it('the health page tells since when the node has been refusing requests, and of nothing while it refuses none', () => {
  const since = new Date(Date.UTC(2026, 0, 1));
  expect(overloadHealth({ refusals: { current: undefined } })).toEqual([]);
  const checks = overloadHealth({ refusals: { current: { since, refused: 1 } } });
  expect(checks).toEqual([{ name: 'overload', state: 'warning', since, refused: 1 }]);
  expect(checks.map(healthText)).toEqual([
    expect.stringMatching(/^The node is refusing requests because it is overloaded, since .*: 1 request so far\. .* See whether/),
  ]);
});
