import { EventEmitter } from 'node:events';
import { decode, encode } from './codec.mjs';
import { strict } from './strict.mjs';

export const ipcMain = strict('ipcMain', new EventEmitter());

/** The main process's end of a port that the page has handed over. */
export class MessagePortMain extends EventEmitter {
  #started = false;
  #closed = false;
  #waiting = [];
  #send;

  /** @param {(message: object) => void} send to the page's end */
  constructor(send) {
    super();
    this.#send = send;
  }
  postMessage(data, transfer = []) {
    if (transfer.length > 0) throw new Error('electron stand-in: a port cannot carry another one');
    if (!this.#closed) this.#send({ kind: 'port', data: encode(data) });
  }
  start() {
    this.#started = true;
    for (const data of this.#waiting.splice(0)) this.#deliver(data);
  }
  close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#send({ kind: 'close' });
    this.emit('close');
  }
  /** Receives a message that the page's end has sent. */
  receive(wire) {
    const data = decode(wire);
    if (this.#started) this.#deliver(data);
    else this.#waiting.push(data);
  }
  #deliver(data) {
    this.emit('message', { data, ports: [] });
  }
}
