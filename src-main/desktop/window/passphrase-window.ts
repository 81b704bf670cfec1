import { BrowserWindow, type IpcMainEvent, ipcMain } from 'electron';
import { CONNECT } from '../../../src-shared/desktop-channel.ts';
import { z } from '../../../src-shared/zod.ts';
import { APP_URL } from '../security/app-scheme.ts';
import { isConsoleFrame } from '../security/navigation.ts';
import { windowOptions } from '../security/window-options.ts';

const Typed = z.object({ passphrase: z.string().min(1).max(1024) });
/** The shortest passphrase that is accepted, in characters. It is the same as for backups. */
const MIN_CHOSEN = 12;

interface Question {
  preload: string;
  developerTools: boolean;
  /** Whether the operator chooses a passphrase. Otherwise they type the one that they chose before. */
  first: boolean;
  /** Whether this is the passphrase that was chosen before. */
  opens(passphrase: string): boolean;
}

/**
 * Asks for the passphrase of the node's keys in its own window until there is a right one.
 * @returns the passphrase; undefined when the operator closed the window instead
 */
export async function askPassphrase({ preload, developerTools, first, opens }: Question): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const window = new BrowserWindow({ ...windowOptions(preload, developerTools), width: 560, height: 520 });
  const connect = (event: IpcMainEvent): void => {
    const [port] = event.ports;
    if (port === undefined) return;
    if (event.sender.id !== window.webContents.id || !isConsoleFrame(event.senderFrame)) {
      port.close();
      return;
    }
    port.on('message', ({ data }) => {
      const typed = Typed.safeParse(data).data?.passphrase ?? '';
      if (first ? typed.length >= MIN_CHOSEN : opens(typed)) resolve(typed);
      else port.postMessage('wrong');
    });
    port.start();
  };
  ipcMain.on(CONNECT, connect);
  window.once('ready-to-show', () => window.show());
  window.once('closed', () => resolve(undefined));
  try {
    const loaded = window.loadURL(`${APP_URL}passphrase.html${first ? '?first' : ''}`).catch((error: unknown) => {
      // It is no error when the operator closes the window while it loads.
      if (!window.isDestroyed()) throw error;
    });
    await Promise.race([loaded, promise]);
    return await promise;
  } finally {
    ipcMain.off(CONNECT, connect);
    if (!window.isDestroyed()) window.destroy();
  }
}
