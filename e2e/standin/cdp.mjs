import { EventEmitter } from 'node:events';

/**
 * A connection to Chromium over the DevTools protocol. It emits events as `sessionId:method`, and events of the browser
 * as `:method`.
 */
export class Cdp extends EventEmitter {
  #socket;
  #nextId = 0;
  #waiting = new Map();
  /** Called when the connection has ended. */
  onClose = () => undefined;

  /** @param {string} url */
  async open(url) {
    this.#socket = new WebSocket(url);
    const opened = Promise.withResolvers();
    this.#socket.onopen = opened.resolve;
    this.#socket.onerror = () => opened.reject(new Error('Chromium does not answer'));
    this.#socket.onclose = () => {
      this.#failAll();
      this.onClose();
    };
    this.#socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    await opened.promise;
  }

  /** Sends a command and waits for its result. */
  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#nextId;
    const answer = Promise.withResolvers();
    this.#waiting.set(id, { ...answer, method });
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return answer.promise;
  }

  #receive({ id, sessionId = '', method, params, result, error }) {
    if (id === undefined) {
      this.emit(`${sessionId}:${method}`, params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(`${waiting.method}: ${error.message}`));
  }

  #failAll() {
    for (const { reject, method } of this.#waiting.values()) reject(new Error(`${method}: Chromium is gone`));
    this.#waiting.clear();
  }
}
