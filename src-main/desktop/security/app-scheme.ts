import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fillPage } from '../../operator-api/console/fill-page.ts';
import { newSecret } from '../../platform/ids.ts';
import { contentSecurityPolicy } from './csp.ts';

/** The window's own scheme. Unlike `file:`, it has its own origin and reaches only the console's files. */
export const APP_SCHEME = 'paydesk-app';
export const APP_HOST = 'console';
export const APP_URL = `${APP_SCHEME}://${APP_HOST}/`;

/** The console's files by URL path, such as `/assets/main.js`. */
export type AppFiles = ReadonlyMap<string, string>;

const INDEX = '/index.html';
/**
 * An address of the console, such as `/payments/4be1…`. It has no dot and no escape, nothing that a file system could
 * misread.
 */
const ROUTE = /^\/[A-Za-z0-9/_-]*$/;

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
]);

/**
 * Lists the files of the built console once. Requests are looked up in this list and never turned into a path, so no
 * spelling of a URL leads out of the folder. Symbolic links are not followed.
 */
export function listAppFiles(folder: string): AppFiles {
  const files = new Map<string, string>();
  // Node's own recursive listing would follow links to folders.
  const collect = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const name = `${below}/${entry.name}`;
      if (entry.isDirectory()) collect(name);
      else if (entry.isFile()) files.set(name, join(folder, name));
    }
  };
  collect('');
  return files;
}

/**
 * The file that a request of the window gets; it is undefined when there is none. An address of the console gets the
 * console's page.
 */
function fileFor(files: AppFiles, url: string): { path: string; isPage: boolean } | undefined {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== `${APP_SCHEME}:` || parsed.host !== APP_HOST) return undefined;
  const path = files.get(ROUTE.test(parsed.pathname) ? INDEX : parsed.pathname);
  return path === undefined ? undefined : { path, isPage: extname(path) === '.html' };
}

/**
 * Answers a request of the window. The page comes with a policy and a nonce for its styles, both for this load only,
 * and names the node's data folder.
 */
export async function answerAppRequest(files: AppFiles, request: Pick<Request, 'url' | 'method'>, dataFolder: string): Promise<Response> {
  if (request.method !== 'GET') return new Response(null, { status: 405 });
  const file = fileFor(files, request.url);
  if (file === undefined) return new Response(null, { status: 404 });
  const headers = new Headers({
    'content-type': CONTENT_TYPES.get(extname(file.path)) ?? 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  if (!file.isPage) return new Response(await readFile(file.path), { headers });
  const nonce = newSecret(16);
  headers.set('content-security-policy', contentSecurityPolicy(nonce));
  headers.set('cache-control', 'no-store');
  return new Response(fillPage(await readFile(file.path, 'utf8'), { nonce, dataFolder }), { headers });
}
