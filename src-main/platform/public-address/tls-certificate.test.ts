import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { certificateProblemText } from '../../../src-shared/words/certificate.ts';
import { ReportedError } from '../errors.ts';
import { TlsCertificate } from './tls-certificate.ts';

const pair = async (notAfterDate: Date, keySize?: 1024) => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'pay.example' }], {
    algorithm: 'sha256',
    notAfterDate,
    ...(keySize && { keySize }),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'pay.example' },
          { type: 7, ip: '192.0.2.7' },
        ],
      },
    ],
  });
  return { cert, key };
};
const weak = await pair(new Date('2031-01-01T00:00:00Z'), 1024);
const [first, second] = await Promise.all([pair(new Date('2031-01-01T00:00:00Z')), pair(new Date('2032-01-01T00:00:00Z'))]);

let folder: string;
let files: { cert: string; key: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-tls-'));
  files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  put(first);
});
afterEach(() => rmSync(folder, { recursive: true }));

function put({ cert, key }: { cert: string; key: string }): void {
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
}

describe('the certificate of the node', () => {
  it('is read, and tells when it expires', () => {
    const certificate = new TlsCertificate(files);
    expect(certificate.context).toEqual(first);
    expect(certificate.expiresAt).toBe(Date.parse('2031-01-01T00:00:00Z'));
    certificate.close();
  });

  it('is read again when its files change', async () => {
    const certificate = new TlsCertificate(files, 10);
    const changed = vi.fn();
    certificate.onChange(changed);
    put(second);
    await vi.waitFor(() => expect(changed).toHaveBeenCalledExactlyOnceWith(second), { timeout: 60_000 });
    expect(certificate.expiresAt).toBe(Date.parse('2032-01-01T00:00:00Z'));
    certificate.close();
  });

  it.each([
    ['its key belongs to another', { ...first, key: second.key }, /does not belong to the certificate/],
    ['it is no certificate', { ...first, cert: 'hello' }, /is no certificate/],
    ['its key is too short for TLS', weak, /its key is too weak/],
    [
      'its chain is damaged',
      { ...first, cert: `${first.cert}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n` },
      /damaged/,
    ],
    ['its key is no private key', { ...first, key: 'hello' }, /is no private key/],
  ])('is refused at the start, and not used later, when %s', (_, broken, words) => {
    const certificate = new TlsCertificate(files);
    put(broken);
    certificate.reload();
    expect(certificate.problem && certificateProblemText(certificate.problem)).toMatch(words);
    expect(certificate.context).toEqual(first);
    expect(() => new TlsCertificate(files)).toThrow(ReportedError);
    put(second);
    certificate.reload();
    expect(certificate.problem).toBeUndefined();
    expect(certificate.context).toEqual(second);
    certificate.close();
  });

  it('tells from when it is valid and for which hosts', () => {
    const certificate = new TlsCertificate(files);
    expect(certificate.beginsAt).toBeLessThanOrEqual(Date.now());
    expect(['pay.example', 'PAY.example', '192.0.2.7'].map((host) => certificate.isFor(host))).toEqual([true, true, true]);
    expect(['example', 'shop.pay.example', '192.0.2.8', '[::1]', 'localhost'].map((host) => certificate.isFor(host))).not.toContain(true);
    certificate.close();
  });

  it('is refused with the name of the file that is missing', () => {
    rmSync(files.key);
    expect(() => new TlsCertificate(files)).toThrow(/--tls-key .* cannot be read/);
  });
});
