// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * electron-builder calls this after it has put the runtime in its place. It removes the app that Electron shows when it
 * has no other. When electron-builder fetches the runtime itself, it also removes that app itself.
 * @param {{ appOutDir: string, electronPlatformName: string }} context
 */
export default function dropDefaultApp({ appOutDir, electronPlatformName }) {
  const resources = electronPlatformName === 'linux' || electronPlatformName === 'win32' ? 'resources' : 'Electron.app/Contents/Resources';
  rmSync(join(appOutDir, resources, 'default_app.asar'), { force: true });
  rmSync(join(appOutDir, 'version'), { force: true });
}
