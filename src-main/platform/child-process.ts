import { fork } from 'node:child_process';

/** A process that the node has started and can end at any moment, whatever the process is doing. */
export interface ChildProcess {
  /** Sends a message. The process gets a copy of it (structured clone). */
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Calls the listener once when the process is gone, or when it could not be started. */
  onExit(listener: () => void): void;
  /** Ends the process, even in the middle of native code. */
  kill(): void;
}

/** Starts a process that runs a built file. The desktop app has a way of its own, because Electron runs no scripts. */
export type StartChild = (file: string) => ChildProcess;

/** {@link StartChild} with the Node that runs this process. */
export const startChild: StartChild = (file) => {
  const child = fork(file, [], { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  return {
    // A process that has ended already gets no message. Its exit tells the caller.
    send: (message) => child.send(message as object, () => undefined),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => {
      const { resolve, promise } = Promise.withResolvers<void>();
      child.once('exit', resolve);
      child.once('error', resolve);
      void promise.then(listener);
    },
    kill: () => child.kill('SIGKILL'),
  };
};

interface MessagePortOfChild {
  once(event: 'message', listener: (message: unknown) => void): void;
  send(message: unknown): void;
}

/** The way from a process that {@link StartChild} has started to its parent. */
export function toParent(): MessagePortOfChild {
  const { parentPort } = process as unknown as { parentPort?: ElectronPort };
  if (parentPort === undefined) {
    // Nobody waits for the answer of a process whose parent is gone.
    process.once('disconnect', endAtOnce);
    return { once: (event, listener) => process.once(event, listener), send: (message) => process.send?.(message) };
  }
  return {
    once: (event, listener) => parentPort.once(event, ({ data }) => listener(data)),
    send: (message) => parentPort.postMessage(message),
  };
}

/** The port that Electron gives to a utility process. */
interface ElectronPort {
  once(event: 'message', listener: (message: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/** Ends this process. `process.exit` would wait for a thread that is in native code. */
export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}
