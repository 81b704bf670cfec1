import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppFiles, answerAppRequest, listAppFiles } from './app-scheme.ts';

const SECRET = 'outside the build folder';
const FOLDER = '/srv/Application Support/"pay" & <desk>/$&';
let root: string;
let files: AppFiles;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'paydesk-scheme-'));
  const renderer = join(root, 'out/renderer');
  mkdirSync(join(renderer, 'assets'), { recursive: true });
  writeFileSync(
    join(renderer, 'index.html'),
    '<meta name="paydesk-style-nonce" content="__STYLE_NONCE__"><i data-folder="__DATA_FOLDER__"></i><p>console</p>',
  );
  writeFileSync(join(renderer, 'assets/main.js'), 'export {};');
  writeFileSync(join(root, 'secret.txt'), SECRET);
  symlinkSync(join(root, 'secret.txt'), join(renderer, 'link.txt'));
  symlinkSync(root, join(renderer, 'folder'));
  files = listAppFiles(renderer);
});
afterAll(() => rmSync(root, { recursive: true }));

const get = (url: string, method = 'GET') => answerAppRequest(files, { url, method }, FOLDER);

/** Spellings that have led file servers out of their folder. */
const TRAVERSALS = [
  '../secret.txt',
  '../../secret.txt',
  '../../../../../../secret.txt',
  './../secret.txt',
  'assets/../../../secret.txt',
  'assets/../../secret.txt',
  '%2e%2e/secret.txt',
  '%2e%2e/%2e%2e/secret.txt',
  '%2E%2E/%2E%2E/secret.txt',
  '.%2e/.%2e/secret.txt',
  '%2e./%2e./secret.txt',
  '..%2fsecret.txt',
  '..%2f..%2fsecret.txt',
  '..%2F..%2Fsecret.txt',
  '%2e%2e%2f%2e%2e%2fsecret.txt',
  '..%5c..%5csecret.txt',
  '..%5C..%5Csecret.txt',
  '..\\..\\secret.txt',
  '..\\../secret.txt',
  '%2e%2e%5c%2e%2e%5csecret.txt',
  '..%252f..%252fsecret.txt',
  '%252e%252e%252fsecret.txt',
  '%252e%252e/%252e%252e/secret.txt',
  '..%c0%af..%c0%afsecret.txt',
  '..%e0%80%af..%e0%80%afsecret.txt',
  '..%u2215..%u2215secret.txt',
  '..∕..∕secret.txt',
  '....//....//secret.txt',
  '..;/..;/secret.txt',
  '..%00/..%00/secret.txt',
  'index.html%00../../secret.txt',
  'assets/main.js/../../../../secret.txt',
  '/etc/passwd',
  '//etc/passwd',
  '///etc/passwd',
  '\\\\host\\share\\secret.txt',
  '//host/share/secret.txt',
  'C:/Windows/win.ini',
  'file:///etc/passwd',
  '~/secret.txt',
  '..%09/..%09/secret.txt',
  '.. /.. /secret.txt',
  'link.txt',
  'folder/secret.txt',
];

describe('the console’s own scheme', () => {
  it('has 40 spellings or more to refuse', () => {
    expect(TRAVERSALS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(TRAVERSALS)('stays in the build folder for %s', async (spelling) => {
    const answer = await get(`paydesk-app://console/${spelling}`);
    const body = await answer.text();
    expect(body).not.toContain(SECRET);
    expect(body).not.toContain('root:');
    // Some of them are addresses of the console once they are parsed. These show its page.
    expect(answer.status === 404 ? body : body.includes('<p>console</p>')).toBe(answer.status === 404 ? '' : true);
  });

  it('serves the files of the build with their types', async () => {
    const answer = await get('paydesk-app://console/assets/main.js');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toBe('export {};');
  });

  it.each(['', 'index.html', 'payments', 'payments/4be1c9d2-0000-4000-8000-000000000000?direction=in'])(
    'shows the page at /%s',
    async (path) => {
      const answer = await get(`paydesk-app://console/${path}`);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('<p>console</p>');
    },
  );

  it('gives every load of the page a nonce of its own, the one in its policy', async () => {
    const loads = await Promise.all([get('paydesk-app://console/'), get('paydesk-app://console/')]);
    const nonces = await Promise.all(
      loads.map(async (answer) => {
        const [, nonce = ''] = /content="([\w-]{22})"/.exec(await answer.text()) ?? [];
        expect(answer.headers.get('content-security-policy')).toBe(
          `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; ` +
            "connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        );
        expect(answer.headers.get('cache-control')).toBe('no-store');
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  it('names the data folder of the node, whatever stands in its name', async () => {
    const [, folder = ''] = /data-folder="([^"]*)"/.exec(await (await get('paydesk-app://console/')).text()) ?? [];
    expect(folder).not.toMatch(/[<>&$]/);
    expect(decodeURIComponent(folder)).toBe(FOLDER);
  });

  it('refuses other hosts, other schemes, missing files and other methods', async () => {
    expect((await get('paydesk-app://other/index.html')).status).toBe(404);
    expect((await get('https://console/index.html')).status).toBe(404);
    expect((await get('paydesk-app://console/assets/missing.js')).status).toBe(404);
    expect((await get('paydesk-app://console/index.html', 'POST')).status).toBe(405);
  });
});
