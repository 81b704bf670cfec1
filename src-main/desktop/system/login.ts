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

/** @throws the system's error when it refuses */
export function startAtLogin(item: LoginItem, wanted: boolean): void {
  if (item.kind === 'system') app.setLoginItemSettings({ openAtLogin: wanted, args: [...item.arguments] });
  if (item.kind !== 'file') return;
  if (wanted) {
    mkdirSync(dirname(item.path), { recursive: true });
    writeFileSync(item.path, item.content);
  } else rmSync(item.path, { force: true });
}

/** Whether the system has started the app at a login, so that no window is shown. */
export const startsHidden = (argv: readonly string[]): boolean =>
  argv.includes(HIDDEN) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
