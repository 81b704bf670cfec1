import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReportedError } from '../errors.ts';
import { openNodeSecrets } from './node-secrets.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-secrets-'));
  file = join(folder, 'node-secrets.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('openNodeSecrets', () => {
  it('makes the secrets once, in a file that only its owner can read', () => {
    const first = openNodeSecrets(folder);
    const again = openNodeSecrets(folder);
    expect(again.stream).toEqual(first.stream);
    expect(again.derive('a purpose')).toEqual(first.derive('a purpose'));
    expect(first.stream).toHaveLength(32);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('makes other secrets for another node', () => {
    const other = mkdtempSync(join(tmpdir(), 'paydesk-secrets-'));
    expect(openNodeSecrets(other).stream).not.toEqual(openNodeSecrets(folder).stream);
    rmSync(other, { recursive: true });
  });

  it('derives another key for each purpose, and never shows the node key', () => {
    const secrets = openNodeSecrets(folder);
    const [one, two] = [secrets.derive('one'), secrets.derive('two')];
    expect(one).toHaveLength(32);
    expect(one).not.toEqual(two);
    const { node } = JSON.parse(readFileSync(file, 'utf8')) as { node: string };
    expect(one.toString('base64url')).not.toBe(node);
    expect(Object.keys(secrets).toSorted()).toEqual(['derive', 'stream']);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"version":1,'],
    ['no object', 'null'],
    ['no keys', '{"version":1}'],
    ['a key that is too short', `{"version":1,"node":"${'A'.repeat(43)}","stream":"AAAA"}`],
    ['a key that is no text', `{"version":1,"node":"${'A'.repeat(43)}","stream":7}`],
  ])('refuses a file with %s, says what to do, and repeats nothing of the file', (_, content) => {
    writeFileSync(file, content);
    const open = () => openNodeSecrets(folder);
    expect(open).toThrow(ReportedError);
    expect(open).toThrow(
      'node-secrets.json in the data folder is damaged or cannot be read. Restore it from your backup. Without it paydesk cannot finish payments in progress.',
    );
    expect(readFileSync(file, 'utf8')).toBe(content);
  });
});
