import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openDataFolder } from '../platform/data-folder.ts';
import { StartupError } from '../platform/errors.ts';
import { createOutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import { CONSOLE_URL_FILE } from './console-server.ts';
import { OPERATOR_TOKEN_FILE } from './operator-token.ts';

const Link = z.object({ url: z.url() });

/**
 * Asks the node that runs on a data folder for a console link, with the operator's token from that folder.
 * @throws StartupError when no headless node answers there.
 */
export async function requestConsoleLink({ dataDir }: { dataDir: string }): Promise<string> {
  const consoleUrl = contentOf(join(dataDir, CONSOLE_URL_FILE));
  const token = contentOf(join(dataDir, OPERATOR_TOKEN_FILE));
  const notRunning = new StartupError(
    `No headless paydesk is running on ${dataDir}. Start it with "npm run headless", or name its folder with --data-dir.`,
  );
  if (consoleUrl === undefined || token === undefined || !isHeld(dataDir)) throw notRunning;
  // The console is on this computer and speaks plain http, which requests to other nodes may not.
  const http = createOutboundHttp({ development: true });
  const answer = await http.requestJson('POST', `${consoleUrl}/operator/links`, { headers: { authorization: `Bearer ${token}` } });
  http.close();
  const link = answer.ok && answer.value.status === 201 ? Link.safeParse(answer.value.body) : undefined;
  if (link?.success !== true) throw notRunning;
  return link.data.url;
}

/**
 * Whether a node holds the folder. One that was killed leaves its address behind, and whoever listens there now must not get
 * the token.
 */
function isHeld(dataDir: string): boolean {
  try {
    openDataFolder(dataDir).release();
    return false;
  } catch (error) {
    if (error instanceof StartupError) return true;
    throw error;
  }
}

const contentOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined);
