import { describe, expect, it } from 'vitest';
import { customerOptions, printOptions, windowOptions } from './window-options.ts';

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

  it('of a page that is printed show nothing, and lead nowhere at all', () => {
    const { preload: _, ...confined } = windowOptions('preload.cjs', false).webPreferences ?? {};
    expect(printOptions()).toEqual({ show: false, webPreferences: confined });
  });

  it('of the customer’s screen lead nowhere at all', () => {
    const { preload: _, ...confined } = windowOptions('preload.cjs', false).webPreferences ?? {};
    expect(customerOptions().webPreferences).toEqual(confined);
  });

  it('allow developer tools only when asked for', () => {
    expect(windowOptions('preload.cjs', true).webPreferences?.devTools).toBe(true);
  });
});
