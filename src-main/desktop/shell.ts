import { app, dialog, ipcMain, powerMonitor, type WebContents } from 'electron';
import { CONNECT } from '../../src-shared/desktop-channel.ts';
import type { LockReason } from '../../src-shared/operator-contract/lock.ts';
import type { StoredEvent } from '../journal/stored-events.ts';
import { systemClock } from '../platform/clock.ts';
import { type Logger, lastLinesWritten } from '../platform/logs/logger.ts';
import type { WalletNode } from '../wallet-node.ts';
import { Notifications } from './notices/notifications.ts';
import { Notifier } from './notices/notifier.ts';
import { isConsoleFrame } from './security/navigation.ts';
import type { SettingsFile } from './system/desktop-settings.ts';
import { NodeSeat } from './system/node-seat.ts';
import { QUIT_ANSWERS, Quitting, quitQuestion } from './system/quitting.ts';
import { openTray, type TraySign } from './tray/tray.ts';
import type { TrayAction } from './tray/tray-model.ts';
import { askIn } from './window/ask-in.ts';
import { ConsoleWindow } from './window/console-window.ts';
import { CustomerWindow } from './window/customer-window.ts';

/** How often the node's health is looked at for the tray, in milliseconds. */
const LOOK_MS = 60_000;
/** The system calls a person idle who has touched neither keyboard nor mouse for this long, in seconds. */
const IDLE_SECONDS = 300;
/** How long quitting waits for the node to stop by itself, in milliseconds. */
const CLOSE_WITHIN_MS = 5_000;

interface Parts {
  node: WalletNode;
  log: Logger;
  settings: SettingsFile;
  profile: string;
  preload: string;
}

/** What surrounds a running node on the desktop: window, tray, notifications, sleep and quitting. */
export class Shell {
  readonly #parts: Parts;
  readonly #seat: NodeSeat<WalletNode>;
  readonly #window: ConsoleWindow;
  readonly #customer: CustomerWindow;
  readonly #quitting: Quitting;
  readonly #tray: TraySign;
  readonly #notifier: Notifier;
  readonly #notifications = new Notifications((screen) => this.open(screen));

  constructor(parts: Parts) {
    this.#parts = parts;
    const { node, log, settings, profile, preload } = parts;
    this.#seat = new NodeSeat(node);
    this.#quitting = new Quitting({
      underWay: () => this.#seat.node.operator.paymentsUnderWay(),
      ask: async (underWay, signal) => {
        const answer = await askIn(
          () => (this.#quitting.decided ? undefined : this.#window.front()),
          (window) => dialog.showMessageBox(window, { ...quitQuestion(underWay), signal }),
        );
        return (answer && QUIT_ANSWERS[answer.response]) ?? 'stay';
      },
      onWaiting: (quittingAfter) => this.#tray.update({ quittingAfter }),
      quit: () => app.quit(),
    });
    this.#window = new ConsoleWindow({
      preload,
      profile,
      clock: systemClock,
      log,
      isQuitting: () => this.#quitting.decided,
      onSessionEnd: () => this.#quitting.now(),
      closesToTray: () => settings.settings.closeToTray,
    });
    this.#customer = new CustomerWindow(log);
    this.#tray = openTray((action) => this.#act(action));
    this.#notifier = new Notifier({
      calls: () => this.#seat.node.operator.calls,
      clock: systemClock,
      log,
      settings: () => settings.settings,
      // While the console is locked, notifications tell nothing about money, as on a locked screen.
      screen: () => (this.#seat.node.operator.locked ? 'locked' : powerMonitor.getSystemIdleState(IDLE_SECONDS)),
      isLooking: () => this.#window.isLookedAt,
      show: (notice, detail) => this.#notifications.show(notice, detail),
    });
    this.#serveConsole();
    this.#followSystem();
    this.#endProperly();
  }

  /** Begins to listen to the node. */
  async start(): Promise<void> {
    await this.#listen();
    setInterval(() => this.#look(), LOOK_MS);
  }

  /**
   * Closes the node and goes on with the one that `start` gives. The console's page waits for that one meanwhile.
   * @returns the new node; undefined when the app ends instead
   */
  async replaceNode(start: () => Promise<WalletNode>): Promise<WalletNode | undefined> {
    const node = await this.#seat.replace(start);
    if (node !== undefined) await this.#listen();
    return node;
  }

  async #listen(): Promise<void> {
    await this.#seat.node.events.listen(this.#notifier.hear);
    await this.#seat.node.events.listen((batch) => this.#hear(batch));
    const { operator } = this.#seat.node;
    operator.watchLock(() => {
      if (operator.locked) this.#notifications.locked();
    });
    this.#look();
  }

  /** Brings the console to the front, on the named screen such as `/payments` if there is one. */
  open(screen?: string): void {
    this.#window.show(screen);
  }

  /** Opens the customer's screen when the console's page asks for it, and for no other page. */
  openCustomerScreen(from: WebContents, url: string): void {
    if (this.#window.shows(from)) this.#customer.open(url, this.#window.front().getBounds());
    else this.#parts.log.warn('a page that is not the console asked for the customer’s screen');
  }

  #act(action: TrayAction): void {
    if (action === 'quit') app.quit();
    else this.open(action === 'approvals' ? '/approvals' : undefined);
  }

  #hear(batch: readonly StoredEvent[]): void {
    if (batch.some(({ type }) => type.startsWith('grant.'))) this.#look();
    const ended = batch.some(({ type }) =>
      ['outgoing_payment.completed', 'outgoing_payment.failed', 'outgoing_payment.unknown'].includes(type),
    );
    if (ended) void this.#quitting.look();
  }

  /** Reads what the tray shows. */
  #look(): void {
    this.#seat.node.operator.calls.node.overview().then(
      ({ waitingApprovals, health }) => this.#tray.update({ waiting: waitingApprovals, ill: health.some(({ state }) => state === 'bad') }),
      (error: unknown) => {
        this.#parts.log.error({ err: error }, 'the state of the node could not be read');
        this.#tray.update({ ill: true });
      },
    );
  }

  /** Connects the console's page with the operator contract, and no other page. */
  #serveConsole(): void {
    ipcMain.on(CONNECT, (event) => {
      const [port] = event.ports;
      if (port === undefined) return;
      if (!this.#window.shows(event.sender) || !isConsoleFrame(event.senderFrame)) {
        this.#parts.log.warn('a frame that is not the console asked for the operator contract');
        port.close();
        return;
      }
      void this.#seat.serving.then(({ operator }) => {
        operator.servePort(port);
        port.start();
      });
    });
  }

  #followSystem(): void {
    powerMonitor.on('resume', () => {
      this.#seat.node.wake();
      this.#look();
    });
    powerMonitor.on('suspend', () => this.#lock('sleep'));
    // When another person takes over the computer, the system locks the screen first. macOS also reports the change.
    powerMonitor.on('lock-screen', () => this.#lock('user_switch'));
    powerMonitor.on('user-did-resign-active', () => this.#lock('user_switch'));
    // The computer shuts down. There is no time for a question, and no payment is lost.
    powerMonitor.on('shutdown', () => this.#quitting.now());
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => this.#quitting.now());
  }

  #lock(reason: LockReason): void {
    this.#seat.lock(reason);
    this.#notifications.locked();
  }

  #endProperly(): void {
    app.on('activate', () => this.open());
    app.on('before-quit', (event) => {
      if (this.#quitting.decided) return;
      this.#parts.log.info('the app is asked to quit');
      event.preventDefault();
      this.#quitting.wish().catch((error: unknown) => {
        this.#parts.log.error({ err: error }, 'nobody could be asked about quitting');
        this.#quitting.now();
      });
    });
    app.on('will-quit', (event) => {
      event.preventDefault();
      this.#notifier.stop();
      const { log } = this.#parts;
      const exit = (code: number) => void lastLinesWritten(log).then(() => app.exit(code));
      const tooLong = setTimeout(() => {
        log.error('the node did not stop in time; what was under way is carried on at the next start');
        exit(1);
      }, CLOSE_WITHIN_MS);
      this.#seat
        .end()
        .then(() => exit(0))
        .catch((error: unknown) => {
          log.error({ err: error }, 'the node did not stop cleanly');
          exit(1);
        })
        .finally(() => clearTimeout(tooLong));
    });
  }
}
