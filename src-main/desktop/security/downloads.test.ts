import { expect, it, vi } from 'vitest';
import { answerDownload, isOwnDownload } from './downloads.ts';

const item = (url: string) => ({ getURL: () => url, getFilename: () => 'payments-2026-11-21.csv', setSaveDialogOptions: vi.fn() });

it('the app has the person choose where a file of the console goes', () => {
  const [event, own] = [{ preventDefault: vi.fn() }, item('blob:paydesk-app://console/7c1f')];
  answerDownload(event, own, (name) => `downloads/${name}`);
  expect(event.preventDefault).not.toHaveBeenCalled();
  expect(own.setSaveDialogOptions).toHaveBeenCalledWith({
    title: 'Save from paydesk',
    defaultPath: 'downloads/payments-2026-11-21.csv',
  });
});

it.each([
  'https://shop.example/program.exe',
  'blob:https://shop.example/7c1f',
  'blob:paydesk-app://other/7c1f',
  'data:text/csv,a',
  'file:///etc/passwd',
  'paydesk-app://console/index.html',
  'blob:',
  '',
])('the app stops a download of %s', (url) => {
  const [event, foreign] = [{ preventDefault: vi.fn() }, item(url)];
  answerDownload(event, foreign, (name) => name);
  expect(event.preventDefault).toHaveBeenCalledOnce();
  expect(foreign.setSaveDialogOptions).not.toHaveBeenCalled();
  expect(isOwnDownload(url)).toBe(false);
});
