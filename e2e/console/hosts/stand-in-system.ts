import type { ElectronApplication, JSHandle } from '@playwright/test';

interface MenuItem {
  label: string;
  enabled: boolean;
}

/** What the stand-in records about the system around the app (e2e/standin/system.mjs). */
interface System {
  tray: { tooltip: string; menu: { items: (MenuItem & { type: string })[] }; choose(label: string): void };
  notifications: { title: string; body: string; state: string; emit(event: 'click'): void }[];
  questions: { options: { message: string; buttons: string[] }; answer(label: string): void }[];
  idleState: string;
  printers: Printer[];
  prints: Print[];
}

/** A printer as the system has it. It refuses when the system takes no prints for it. */
interface Printer {
  name: string;
  displayName?: string;
  refuses?: boolean;
}

/** What was printed without a question: a PDF file in base64. A size is in micrometres. */
interface Print {
  deviceName: string;
  pageSize: string | { width: number; height: number };
  data: string;
}

/** The system around an app in the stand-in, as the person at the computer sees and uses it. */
export class StandInSystem {
  readonly #electron: ElectronApplication;
  readonly #system: JSHandle<System>;

  private constructor(electron: ElectronApplication, system: JSHandle<System>) {
    this.#electron = electron;
    this.#system = system;
  }

  static async of(electron: ElectronApplication): Promise<StandInSystem> {
    return new StandInSystem(electron, await electron.evaluateHandle((): System => Reflect.get(globalThis, '__standin').system));
  }

  tooltip(): Promise<string> {
    return this.#system.evaluate((one) => one.tray.tooltip);
  }
  /** The labels of the tray's menu. Those of disabled items are in brackets. */
  trayMenu(): Promise<string[]> {
    return this.#system.evaluate(({ tray }) =>
      tray.menu.items.filter(({ type }) => type === 'normal').map(({ label, enabled }) => (enabled ? label : `(${label})`)),
    );
  }
  chooseInTray(label: string): Promise<void> {
    return this.#system.evaluate(({ tray }, one) => tray.choose(one), label);
  }
  notifications(): Promise<{ title: string; body: string; state: string }[]> {
    return this.#system.evaluate((one) => one.notifications.map(({ title, body, state }) => ({ title, body, state })));
  }
  clickNotification(title: string): Promise<void> {
    return this.#system.evaluate(({ notifications }, wanted) => {
      notifications.find((one) => one.title === wanted)?.emit('click');
    }, title);
  }
  questions(): Promise<string[]> {
    return this.#system.evaluate((one) => one.questions.map(({ options }) => options.message));
  }
  answer(button: string): Promise<void> {
    return this.#system.evaluate(({ questions }, label) => questions.at(-1)?.answer(label), button);
  }
  /** Sets what the system says about the person: `active`, `idle` or `locked`. */
  async personIs(state: string): Promise<void> {
    await this.#system.evaluate((one, wanted) => {
      one.idleState = wanted;
    }, state);
  }
  /** Makes the system report sleep, waking up or a locked screen. */
  async report(event: string): Promise<void> {
    await this.#electron.evaluate(({ powerMonitor }, name) => {
      Reflect.apply(powerMonitor.emit, powerMonitor, [name, {}]);
    }, event);
  }
  /** Sets which printers the system has. */
  async hasPrinters(...printers: Printer[]): Promise<void> {
    await this.#system.evaluate((one, wanted) => {
      one.printers = wanted;
    }, printers);
  }
  prints(): Promise<Print[]> {
    return this.#system.evaluate((one) => one.prints);
  }
  /** The console's window. */
  window(): Promise<{ windows: number; visible: boolean; focused: boolean; bounds: object; maximized: boolean; url: string } | undefined> {
    return this.#electron.evaluate(({ BrowserWindow }) => {
      const windows = BrowserWindow.getAllWindows();
      const [one] = windows;
      return (
        one && {
          windows: windows.length,
          visible: one.isVisible(),
          focused: one.isFocused(),
          bounds: one.getNormalBounds(),
          maximized: one.isMaximized(),
          url: one.webContents.getURL(),
        }
      );
    });
  }
  /** Closes the window with its close button. */
  async closeWindow(): Promise<void> {
    await this.#electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  }
  /** The person turns to another window. */
  async lookAway(): Promise<void> {
    await this.#electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur());
  }
}
