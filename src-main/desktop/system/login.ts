import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { app } from 'electron';
import { appImage } from '../../platform/app-image.ts';
import { HIDDEN, type LoginItem, loginItem } from './login-item.ts';

/** How this system starts paydesk when the person logs in. */
export function loginItemHere(): LoginItem {
  const program = { executable: appImage() ?? process.execPath, arguments: app.isPackaged ? [] : [app.getAppPath()] };
  return loginItem(process.platform, program, app.getPath('appData'));
}

/** @throws what the system says when it does not let us. */
export function startAtLogin(item: LoginItem, wanted: boolean): void {
  if (item.kind === 'system') app.setLoginItemSettings({ openAtLogin: wanted, args: [...item.arguments] });
  if (item.kind !== 'file') return;
  if (wanted) {
    mkdirSync(dirname(item.path), { recursive: true });
    writeFileSync(item.path, item.content);
  } else rmSync(item.path, { force: true });
}

/** Whether the person has not asked for the window: the system has started the app. */
export const startsHidden = (argv: readonly string[]): boolean =>
  argv.includes(HIDDEN) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
