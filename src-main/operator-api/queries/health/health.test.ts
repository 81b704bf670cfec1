import { describe, expect, it } from 'vitest';
import { healthText } from '../../../../src-shared/words/health.ts';
import { BooksWentBack, DatabaseStopped, NotStored } from '../../../platform/database/database.ts';
import { type CertificateCondition, healthChecks } from './health.ts';

const DAY_MS = 24 * 60 * 60_000;
const GOOD: CertificateCondition = { remainingMs: 90 * DAY_MS, begun: true, host: 'pay.example', isForHost: true, problem: undefined };

function ofCertificate(change: Partial<CertificateCondition>) {
  const checks = healthChecks({
    notStored: undefined,
    sums: [],
    damages: [],
    isShared: false,
    stuck: 0,
    unknown: 0,
    reachable: true,
    certificate: { ...GOOD, ...change },
  });
  return checks.find(({ name }) => name === 'certificate');
}

describe('the certificate', () => {
  it.each([
    [{}, 'good', 'good for another 90 days'],
    [{ remainingMs: 14 * DAY_MS + 1 }, 'good', '14 days'],
    [{ remainingMs: 14 * DAY_MS }, 'warning', 'ends in 14 days'],
    [{ remainingMs: 1.5 * DAY_MS }, 'warning', 'ends in one day'],
    [{ remainingMs: 0 }, 'bad', 'has ended, and nobody can connect'],
    [{ begun: false }, 'bad', 'Is the clock of this computer right?'],
    [{ isForHost: false }, 'bad', 'not for pay.example, so nobody can connect there'],
    [
      { problem: { code: 'key_of_another', file: 'key.pem' } },
      'warning',
      'The new certificate is not in use. The private key of --tls-key does not belong to the certificate.',
    ],
  ] as const)('%j is %s', (change, state, words) => {
    const check = ofCertificate(change);
    expect([check?.state, check && healthText(check)]).toEqual([state, expect.stringContaining(words)]);
  });

  it('is not checked on a node that has none', () => {
    const checks = healthChecks({
      notStored: undefined,
      sums: [],
      damages: [],
      isShared: false,
      stuck: 0,
      unknown: 0,
      reachable: true,
      certificate: undefined,
    });
    expect(checks.map(({ name }) => name)).not.toContain('certificate');
  });
});

describe('damage in the books', () => {
  const DAMAGE = { name: 'alice', finding: 'balance', place: 'alice', goodAt: null, foundAt: new Date(0) } as const;
  const advice = (isShared: boolean): string => {
    const rest = { notStored: undefined, sums: [], stuck: 0, unknown: 0, reachable: true, certificate: undefined };
    const check = healthChecks({ ...rest, damages: [DAMAGE], isShared }).find(({ name }) => name === 'ledger');
    return check === undefined ? '' : healthText(check);
  };

  it('is mended under Settings where the node makes backups, and elsewhere where the database is shared', () => {
    expect(advice(false)).toContain('under Settings');
    expect(advice(true)).not.toContain('Settings');
    expect(advice(true)).toContain('a backup of the database server or an export of the books');
  });
});

describe('the database', () => {
  const TORN = Object.assign(new Error('invalid page'), { severity: 'ERROR', code: 'XX001' });
  it.each([
    [
      'a page that SQLite cannot read',
      Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' }),
      false,
      'keep a copy of the data folder',
    ],
    ['a page that the server cannot read', TORN, true, 'The database server cannot read a part of the books'],
    ['a server that was put back from a copy', new BooksWentBack('lost'), true, 'has lost changes that it had stored'],
    ['a failed disk', new DatabaseStopped('stopped'), false, 'takes no more writes'],
  ])('says in words what it has met: %s', (_, cause, isShared, words) => {
    const notStored = cause instanceof NotStored ? cause : new NotStored('not stored', { cause });
    const rest = { sums: [], damages: [], stuck: 0, unknown: 0, reachable: true, certificate: undefined };
    const check = healthChecks({ ...rest, notStored, isShared }).find(({ name }) => name === 'database');
    expect([check?.state, check && healthText(check)]).toEqual(['bad', expect.stringContaining(words)]);
  });
});
