import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DatabaseAddress, withoutLogins } from './database-address.ts';

const read = (text: string): DatabaseAddress => {
  const address = DatabaseAddress.read(text);
  if (address === undefined) throw new Error('no address');
  return address;
};

describe('the address of a shared database', () => {
  it('shows its host, port and name, and never its password', () => {
    const address = read('postgres://paydesk:s3cret@db.example:6543/books?sslmode=verify-full');
    expect(address.shown).toBe('db.example:6543/books');
    const everything = [String(address), JSON.stringify({ address }), inspect(address, { showHidden: true, depth: 9 }), `${address}`];
    for (const text of everything) expect(text).not.toContain('s3cret');
    expect(address.url).toContain('s3cret');
  });

  it('has the standard port, and may name the folder of a socket', () => {
    expect(read('postgresql://db.example/books').shown).toBe('db.example:5432/books');
    expect(read('postgres:///books?host=/run/postgresql').shown).toBe('/run/postgresql:5432/books');
  });

  it.each(['mysql://u@h/x', 'postgres://h', 'postgres://h/', 'postgres://h/a/b', 'books', ''])('is not %s', (text) => {
    expect(DatabaseAddress.read(text)).toBeUndefined();
  });
});

it('a text that was typed loses its logins before it is shown', () => {
  expect(withoutLogins('run postgres://u:s3cret@h/x now')).toBe('run postgres://…@h/x now');
});
