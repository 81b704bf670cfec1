import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestMatches } from './content-digest.ts';

const sha = (algorithm: 'sha-256' | 'sha-512', content: string): string =>
  `${algorithm}=:${hash(algorithm.replace('-', ''), Buffer.from(content), 'base64')}:`;

describe('Content-Digest', () => {
  const bodies = {
    compact: '{"a":1,"b":"ü"}',
    pretty: '{\n  "a": 1,\n  "b": "ü"\n}\n',
    reordered: '{"b":"ü","a":1}',
    escaped: '{"a":1,"b":"\\u00fc"}',
    'with a repeated key': '{"a":0,"a":1,"b":"ü"}',
    'with a byte order mark': '\ufeff{"a":1,"b":"ü"}',
    empty: '',
  };

  it.each(Object.keys(bodies) as (keyof typeof bodies)[])('covers the bytes as they came: %s', (name) => {
    for (const algorithm of ['sha-256', 'sha-512'] as const) {
      for (const [other, content] of Object.entries(bodies)) {
        expect(digestMatches(sha(algorithm, content), Buffer.from(bodies[name])), `${algorithm} of ${other}`).toBe(other === name);
      }
    }
  });

  it('must have a digest that the node knows, and each known one must match', () => {
    const content = Buffer.from('x');
    expect(digestMatches(`${sha('sha-256', 'x')}, ${sha('sha-512', 'x')}`, content)).toBe(true);
    expect(digestMatches(`${sha('sha-256', 'x')}, ${sha('sha-512', 'y')}`, content)).toBe(false);
    expect(digestMatches(`${sha('sha-256', 'y')}, ${sha('sha-512', 'x')}`, content)).toBe(false);
    expect(digestMatches(`md5=:AAAA:, ${sha('sha-512', 'x')}`, content)).toBe(true);
    expect(digestMatches('md5=:nU5M4obKGJ4kx6GzFA6pCQ==:', content)).toBe(false);
    expect(digestMatches('', content)).toBe(false);
  });

  it('must be strict base64', () => {
    const content = Buffer.from('x');
    const good = sha('sha-256', 'x');
    expect(good.endsWith('E=:') || good.endsWith('=:')).toBe(true);
    const bad = [
      good.replace('=:', ':').replace('sha-256:', 'sha-256=:').replace('=:', '=: '),
      `${good.slice(0, -2)}:`,
      good.replace(/.=:$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}=:`),
      good
        .replaceAll('/', '_')
        .replaceAll('+', '-')
        .replace(/.{4}=:$/, 'AAAA=:'),
      `${good};x=1`,
      good.replace(/=:(.*):$/, '="$1"'),
      good.toUpperCase(),
      `${good},`,
    ];
    for (const field of bad) expect(digestMatches(field, content), field).toBe(false);
    expect(digestMatches(good, content)).toBe(true);
  });
});
