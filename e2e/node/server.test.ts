import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { RunningNode } from '../support/nodes/running-node.ts';

// The node on a server: its own certificate, and a person at its terminal.

const HEADLESS = join(root, 'out/main/headless.js');
const DAY_MS = 24 * 60 * 60_000;

async function certificate(days: number): Promise<{ cert: string; key: string }> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    notAfterDate: new Date(Date.now() + days * DAY_MS),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  return { cert, key };
}

let folder: string;
let node: RunningNode;
let files: { cert: string; key: string };
let first: { cert: string; key: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-server-'));
  files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  first = await certificate(10);
  put(first);
  node = await RunningNode.start({ dataDir: join(folder, 'data'), flags: ['--tls-cert', files.cert, '--tls-key', files.key] });
});
afterAll(async () => {
  await node?.stop();
  rmSync(folder, { recursive: true });
});

function put({ cert, key }: { cert: string; key: string }): void {
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
}

/** Types a command. */
function type(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [HEADLESS, ...args, '--data-dir', node.dataDir], (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

/** Asks the public listener over a new connection. @returns the status, and when the certificate it showed ends. */
function ask(path: string, ca: string): Promise<{ status: number | undefined; validTo: string }> {
  return new Promise((resolve, reject) => {
    get(`${node.publicUrl}${path}`, { ca, agent: false }, (answer) => {
      const validTo = (answer.socket as TLSSocket).getPeerCertificate().valid_to;
      answer.resume();
      resolve({ status: answer.statusCode, validTo });
    }).on('error', reject);
  });
}

describe('a node with a certificate of its own', () => {
  it('serves https and nothing unencrypted', async () => {
    expect(node.publicUrl).toMatch(/^https:/);
    expect(await ask('/healthz', first.cert)).toMatchObject({ status: 200 });
    expect(await ask('/readyz', first.cert)).toMatchObject({ status: 200 });
    await expect(fetch(`${node.publicUrl.replace('https', 'http')}/healthz`)).rejects.toThrow();
  });

  it('warns two weeks before the certificate ends', async () => {
    const { code, out } = await type('status');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/look certificate: The certificate ends in 9 days/) });
  });

  it('takes a new certificate without a restart', async () => {
    const second = await certificate(90);
    put(second);
    await expect.poll(() => ask('/healthz', second.cert).catch(String), { interval: 250 }).toMatchObject({ status: 200 });
    expect((await type('status')).out).toContain('ok   certificate: The certificate is good for another 89 days.');
  });
});

describe('commands', () => {
  it('open an account and say how the node is', async () => {
    expect(await type('create-account', 'shop', '--currency', 'eur', '--deposit', '12.50', '--public-name', 'Corner Shop')).toEqual({
      code: 0,
      out: `${node.publicUrl}/shop is open with 12.50 EUR.\n`,
      err: '',
    });
    expect((await node.operator.accounts.list({})).items).toMatchObject([
      { name: 'shop', publicName: 'Corner Shop', assetScale: 2, balance: 1250n },
    ]);
    expect((await type('status')).out).toMatch(/^Balances:\n {2}12\.50 EUR$/m);
  });

  it.each([
    [['create-account', 'shop', '--currency', 'EUR'], 'An account with this name exists already.'],
    [['create-account', 'auth', '--currency', 'EUR'], 'Use lower-case letters, digits and hyphens; some words are reserved.'],
    [['create-account', 'x', '--currency', 'EUR', '--public-name', ' '], 'Say what payers are to see.'],
    [['create-account', 'x'], 'Name its currency, such as --currency EUR.'],
    [['create-account', 'x', '--currency', 'XYZ'], 'say how many decimal places'],
    [['create-account', 'x', '--currency', 'JPY', '--deposit', '1.5'], 'at most 0 decimal places'],
  ])('say what is wrong with %j', async (args, words) => {
    const { code, out, err } = await type(...args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(words);
    expect(err).toMatch(/^[^\n]+\n$/);
  });
});
