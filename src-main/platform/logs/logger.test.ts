import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

/** What a logger writes of these facts, parsed. */
function written(facts: object): Record<string, unknown> {
  const lines: string[] = [];
  createLogger('info', { write: (line) => lines.push(line) }).info(facts, 'something happened');
  return JSON.parse(lines.join(''));
}

describe('the log', () => {
  it('writes facts as they are', () => {
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

  it('leaves what it was given unchanged', () => {
    const facts = { a: { token: 'PLANTED' } };
    written(facts);
    expect(facts).toEqual({ a: { token: 'PLANTED' } });
  });

  it('tells of an error its kind and place, not its words', () => {
    const line = written({ err: Object.assign(new TypeError('PLANTED'), { token: 'PLANTED' }) });
    expect(JSON.stringify(line)).not.toContain('PLANTED');
    expect(JSON.stringify(line.err)).toContain('TypeError');
  });
});
