import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

/** @returns the line that a logger writes for these facts, parsed. */
function written(facts: object): Record<string, unknown> {
  const lines: string[] = [];
  createLogger('info', { write: (line) => lines.push(line) }).info(facts, 'something happened');
  return JSON.parse(lines.join(''));
}

describe('the log', () => {
  it('writes facts unchanged', () => {
    const facts = { status: 201, ids: ['a', { b: 'c' }], at: { place: { name: 'here' } }, none: null };
    expect(written(facts)).toMatchObject({ ...facts, level: 'info', msg: 'something happened' });
  });

  it.each(['authorization', 'token', 'secret', 'sharedSecret', 'interact_ref', 'cookie', 'value', 'jwk', 'privateKey'])(
    'hides %s at three depths and in lists',
    (name) => {
      const hidden = { [name]: { deep: 'PLANTED' }, status: 1 };
      const facts = { ...hidden, a: { ...hidden, b: hidden }, list: [hidden] };
      const line = written(facts);
      expect(JSON.stringify(line)).not.toContain('PLANTED');
      expect(line).toMatchObject({ [name]: '[redacted]', status: 1, a: { [name]: '[redacted]', b: { [name]: '[redacted]', status: 1 } } });
    },
  );

  it('does not change the objects that it was given', () => {
    const facts = { a: { token: 'PLANTED' } };
    written(facts);
    expect(facts).toEqual({ a: { token: 'PLANTED' } });
  });

  it('tells the kind and place of an error, and not its message', () => {
    const line = written({ err: Object.assign(new TypeError('PLANTED'), { token: 'PLANTED' }) });
    expect(JSON.stringify(line)).not.toContain('PLANTED');
    expect(JSON.stringify(line.err)).toContain('TypeError');
  });
});
