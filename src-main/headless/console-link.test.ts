import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ask, pageHeaders } from '../operator-api/testing/ask.ts';
import { type Desk, openDesk } from '../operator-api/testing/desk.ts';
import { openDataFolder } from '../platform/data-folder/data-folder.ts';
import { ReportedError } from '../platform/errors.ts';
import { requestConsoleLink } from './console-link.ts';

let desk: Desk;
beforeEach(() => {
  desk = openDesk();
});
afterEach(() => desk.close());

it('the node gets a link for the command on this computer while the node runs', async () => {
  const running = await desk.startConsole();
  await expect(requestConsoleLink({ dataDir: desk.folder })).rejects.toThrow(/No headless paydesk is running/);
  const lock = openDataFolder(desk.folder);
  const link = await requestConsoleLink({ dataDir: desk.folder });
  const secret = new URLSearchParams(new URL(link).hash.slice(1)).get('link') ?? '';
  expect((await ask(running.url, 'POST', '/operator/session', pageHeaders(running.url), { secret })).status).toBe(201);
  await running.close();
  expect(existsSync(join(desk.folder, 'console-url'))).toBe(false);
  await expect(requestConsoleLink({ dataDir: desk.folder })).rejects.toThrow(ReportedError);
  lock.release();
});
