import { expect, it } from 'vitest';
import { Openings } from './openings.ts';

it('the node closes everything that was opened, the last first, even when a part cannot be closed', async () => {
  const openings = new Openings();
  const closed: string[] = [];
  openings.add(() => closed.push('lock'));
  openings.add(async () => {
    throw new Error('the database cannot be closed');
  });
  openings.add(() => closed.push('listener'));
  await expect(openings.close()).rejects.toThrow('the database cannot be closed');
  expect(closed).toEqual(['listener', 'lock']);
});
