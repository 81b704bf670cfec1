import { CONNECT } from '../../../src-shared/desktop-channel.ts';
import { expect, test } from '../fixtures.ts';

// These tests show who may talk to the node and what may be saved. They call the app as Electron would.

/** Senders that are not the page of the console's window. */
const SENDERS = [
  ['a second window', { window: 999, url: 'paydesk-app://console/' }],
  ['a frame in the page', { window: 'own', url: 'paydesk-app://console/', framed: true }],
  ['a foreign page in the window', { window: 'own', url: 'https://shop.example/' }],
  ['another host of the scheme', { window: 'own', url: 'paydesk-app://other/' }],
  ['a frame that is gone', { window: 'own', url: null }],
] as const;

test('foreign frame calls IPC: whoever is not the page of the window gets no way to the node', async ({
  desktop: { electron, operator },
}) => {
  for (const [who, sender] of SENDERS) {
    const port = await electron.evaluate(
      ({ BrowserWindow, ipcMain }, { window, url, channel, ...more }) => {
        const id = window === 'own' ? BrowserWindow.getAllWindows()[0]?.webContents.id : window;
        const top = { url: 'paydesk-app://console/', parent: null };
        const senderFrame = url === null ? null : { url, parent: 'framed' in more ? top : null };
        const seen = { closed: false, used: false };
        const use = () => {
          seen.used = true;
        };
        const port = { on: use, start: use, postMessage: use, close: () => Reflect.set(seen, 'closed', true) };
        Reflect.apply(ipcMain.emit, ipcMain, [channel, { sender: { id }, senderFrame, ports: [port] }]);
        return seen;
      },
      { ...sender, channel: CONNECT },
    );
    expect(port, who).toEqual({ closed: true, used: false });
  }
  expect((await operator.node.info()).host).toBe('desktop');
});

test('the console’s files are saved where the person chooses, and no other file is saved', async ({ desktop: { electron } }) => {
  const answer = (url: string) =>
    electron.evaluate((_, from) => {
      const seen: { prevented: boolean; options?: { defaultPath: string } } = { prevented: false };
      const event = { preventDefault: () => Reflect.set(seen, 'prevented', true) };
      const item = {
        getURL: () => from,
        getFilename: () => 'key.json',
        setSaveDialogOptions: (options: { defaultPath: string }) => Reflect.set(seen, 'options', options),
      };
      Reflect.get(globalThis, '__standin').downloads.emit('will-download', event, item);
      return seen;
    }, url);
  expect(await answer('blob:paydesk-app://console/1')).toMatchObject({
    prevented: false,
    options: { defaultPath: expect.stringMatching(/downloads.key\.json$/) },
  });
  expect(await answer('https://shop.example/program')).toEqual({ prevented: true });
});
