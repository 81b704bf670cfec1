import { describe, expect, it } from 'vitest';
import { windowOptions } from './window-options.ts';

describe('windowOptions', () => {
  it('leave no way from the page to Node', () => {
    expect(windowOptions('preload.cjs', false).webPreferences).toEqual({
      preload: 'preload.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: false,
    });
  });

  it('allow developer tools only when asked for', () => {
    expect(windowOptions('preload.cjs', true).webPreferences?.devTools).toBe(true);
  });
});
