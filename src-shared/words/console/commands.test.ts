import { expect, it } from 'vitest';
import { messages } from './messages.ts';

it('each command that the console tells finds the node, wherever its folder is', () => {
  const folder = '/srv/the shop/data';
  const { common, lock, welcome } = messages;
  const commands = [common.session.command(folder), lock.command(folder), welcome.onlyHereCommand('headless', folder)];
  for (const command of commands) expect(command).toContain(`--data-dir '${folder}'`);
});
