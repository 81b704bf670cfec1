// The stand-in for Electron's main-process API, for tests: Node and Chromium instead of one runtime. It has what the
// shell uses and throws for everything else. It cannot show what is Electron's own: its Chromium and Node, loading
// native modules, asar and fuses, the sandbox, single-instance lock, menus, keychain and updates. The project
// `electron` can.
import { fork } from 'node:child_process';
import { app } from './app.mjs';
import { BrowserWindow, webContents } from './browser-window.mjs';
import { ipcMain } from './ipc.mjs';
import { downloads, permissions, protocol, session } from './schemes.mjs';
import { calls, record, strict } from './strict.mjs';
import { dialog, Menu, Notification, nativeImage, powerMonitor, safeStorage, screen, system, Tray } from './system.mjs';

/** A process of the app. In the stand-in it is one of Node, as the app itself. */
const utilityProcess = strict('utilityProcess', {
  fork: (file, args, { stdio, ...others }) => {
    if (stdio !== 'ignore' || args.length > 0) throw new Error('electron stand-in: utilityProcess.fork does only this');
    record('utilityProcess.fork', others);
    const child = fork(file, [], { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    return Object.assign(child, { postMessage: (message) => child.send(message) });
  },
});

const shell = strict('shell', { openExternal: async (url) => record('shell.openExternal', url) });

// Tests read this through Playwright's `evaluate`.
globalThis.__standin = { calls, downloads, permissions, system };

export {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  Notification,
  nativeImage,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
  webContents,
};
