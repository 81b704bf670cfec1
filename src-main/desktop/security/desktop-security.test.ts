import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// Rules for the security of the desktop app that every source file has to keep.

const DESKTOP = join(import.meta.dirname, '..');
const sources = readdirSync(DESKTOP, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(join(DESKTOP, name), 'utf8') }));

it('renderer code reaches Node or disk: every window is made with the same closed options', () => {
  const made = sources.flatMap(({ text }) => text.match(/new BrowserWindow\([^)]*/g) ?? []);
  expect(made.length).toBeGreaterThanOrEqual(2);
  for (const call of made) expect(call).toMatch(/\.\.\.(windowOptions|customerOptions)\(|^new BrowserWindow\(printOptions\($/);
  for (const { name, text } of sources) {
    expect(text, name).not.toMatch(
      /sandbox: false|contextIsolation: false|nodeIntegration\w*: true|webSecurity: false|new BrowserView|<webview/,
    );
  }
});

it('foreign frame calls IPC: the page gets no ipcRenderer, and every message to the main process has its sender checked', () => {
  const preload = sources.find(({ name }) => name === 'preload.ts')?.text ?? '';
  expect(preload.match(/exposeInMainWorld\(.*\)/g)).toEqual(["exposeInMainWorld('paydesk', { host: 'desktop' })"]);
  expect(preload).not.toMatch(/ipcRenderer\.(on|send|sendSync|invoke)\b/);
  for (const { name, text } of sources) {
    if (/ipcMain\.(on|handle)\(/.test(text)) expect(text, name).toContain('isConsoleFrame(event.senderFrame)');
    expect(text, name).not.toMatch(/ipcMain\.handle\(/);
  }
});

const { dependencies, devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

it('stale Chromium: the runtime is one exact version, so that none is older or newer than the one that was chosen', () => {
  expect(devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/);
});

it('unsigned or downgraded update: nothing here fetches or installs one', () => {
  expect(Object.keys(dependencies).filter((name) => name.includes('updater'))).toEqual([]);
  for (const { name, text } of sources) expect(text, name).not.toMatch(/autoUpdater|update-electron-app/);
});
