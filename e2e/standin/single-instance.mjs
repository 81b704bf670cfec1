import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** Finds out which process on a profile is the first. The first one listens on a socket in the profile. */
export class SingleInstance {
  isFirst;
  #server;
  #first;
  #onOther = () => undefined;

  /** @param {string} userData */
  static async on(userData) {
    mkdirSync(userData, { recursive: true });
    const path = join(userData, 'instance.sock');
    const instance = new SingleInstance();
    instance.#first = await connected(path);
    instance.isFirst = instance.#first === undefined;
    if (instance.isFirst) await instance.#listen(path);
    return instance;
  }

  /** Calls `listener` with the command line of each later process. */
  onOther(listener) {
    this.#onOther = listener;
  }
  tellFirst(argv) {
    this.#first.end(JSON.stringify(argv));
  }
  async close() {
    this.#server?.close();
    // The message must be sent before this process ends.
    if (this.#first !== undefined && !this.#first.closed) await new Promise((resolve) => this.#first.once('close', resolve));
  }

  #listen(path) {
    // A process that was killed leaves its socket behind.
    rmSync(path, { force: true });
    this.#server = createServer((socket) => {
      let text = '';
      socket.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      socket.on('end', () => {
        if (text !== '') this.#onOther(JSON.parse(text));
      });
      socket.on('error', () => undefined);
    });
    return new Promise((resolve) => this.#server.listen(path, resolve));
  }
}

/** A connection to the process that listens. It is undefined when none does. */
function connected(path) {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}
