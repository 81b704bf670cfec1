import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Seal } from './seal.ts';

const key = randomBytes(32);
const seal = new Seal(key);

describe('a sealed text', () => {
  it('opens for its purpose, and differs each time it is made', () => {
    const sealed = seal.seal('Grüße, token', 'peer:1');
    expect(sealed).not.toContain('token');
    expect(sealed).not.toBe(seal.seal('Grüße, token', 'peer:1'));
    expect(new Seal(key).open(sealed, 'peer:1')).toBe('Grüße, token');
    expect(seal.open(seal.seal('', 'x'), 'x')).toBe('');
  });

  it('does not open for another purpose or key, with a changed bit, or with missing bytes', () => {
    const sealed = seal.seal('token', 'peer:1');
    expect(seal.open(sealed, 'peer:2')).toBeUndefined();
    expect(new Seal(randomBytes(32)).open(sealed, 'peer:1')).toBeUndefined();
    const bytes = Buffer.from(sealed, 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(i) ^ 1, i);
      expect(seal.open(changed.toString('base64url'), 'peer:1')).toBeUndefined();
      expect(seal.open(bytes.subarray(0, i).toString('base64url'), 'peer:1')).toBeUndefined();
    }
  });
});
