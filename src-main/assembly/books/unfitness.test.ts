import { describe, expect, it } from 'vitest';
import { BooksWentBack, DatabaseStopped } from '../../platform/database/database.ts';
import type { Unfit } from '../../platform/replicas/replicas.ts';
import { unfitness } from './unfitness.ts';

const told = (stopped: Error | undefined, turnless: number, unfit?: Unfit): string | undefined =>
  unfitness({ database: { stopped, turnless }, replicas: { unfit } })();

describe('a replica', () => {
  it('is fit while it writes and is heard', () => {
    expect(told(undefined, 5_000)).toBeUndefined();
  });

  it('says that the books went back before everything else', () => {
    expect(told(new BooksWentBack('lost'), 9_000, 'leaving')).toContain('lost changes');
  });

  it('says that it gets no turn', () => {
    expect(told(undefined, 5_001)).toContain('no turn');
    expect(told(new DatabaseStopped('stopped'), 5_001)).toContain('no turn');
  });

  it.each<[Unfit, string]>([
    ['leaving', 'about to end'],
    ['unheard', 'does not hear'],
    ['wrong_clock', 'clock'],
    ['schema_too_new', 'newer version'],
  ])('says %s in words', (unfit, words) => {
    expect(told(undefined, 0, unfit)).toContain(words);
  });
});
