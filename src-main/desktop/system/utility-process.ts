import { utilityProcess } from 'electron';
import type { StartChild } from '../../platform/child-process.ts';

/**
 * Starts a process with the Node of Electron. A fuse forbids the packaged app to run as a plain Node, so that `fork` of
 * Node would open a second app.
 */
export const startUtility: StartChild = (file) => {
  const child = utilityProcess.fork(file, [], { serviceName: 'paydesk-backup', stdio: 'ignore' });
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.once('exit', listener),
    kill: () => {
      if (child.pid === undefined) child.kill();
      else endNow(child.pid);
    },
  };
};

/** `kill()` of Electron asks a process to end. One that is in native code must not be asked. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
