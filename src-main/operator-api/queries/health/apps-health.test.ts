import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { healthText } from '../../../../src-shared/words/health.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { overview } from './overview.ts';

let desk: Desk;
beforeEach(() => {
  desk = openDesk();
});
afterEach(() => desk.close());

it('the overview and the health page warn of permissions that are frozen since the books were restored', async () => {
  const ofApps = async () => (await overview(desk.context)).health.filter(({ name }) => name === 'apps');
  expect(await ofApps()).toEqual([]);
  vi.spyOn(desk.context.access.views, 'countFrozen').mockResolvedValue(2);
  const checks = await ofApps();
  expect(checks.map(({ state }) => state)).toEqual(['warning']);
  expect(checks.map(healthText)).toEqual([expect.stringContaining('2 permissions are frozen')]);
});
