import type { RequestListener } from 'node:http';

/** Requests wait for new connections for at most so many turns of the event loop. The system keeps as many waiting. */
const MOST_TURNS = 512;

/**
 * Accepts the connections that wait before it handles requests. The event loop accepts one connection in a turn. While
 * each turn handled requests as well, the last of 200 connections waited for 200 long turns, and nobody knew of it.
 */
export class AcceptFirst {
  readonly #listener: RequestListener;
  #waiting: Parameters<RequestListener>[] = [];
  #isAccepting = false;
  #hasAccepted = false;
  #turns = 0;

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  /** The server calls this for each connection. */
  readonly connected = (): void => {
    this.#hasAccepted = true;
    if (this.#isAccepting) return;
    this.#isAccepting = true;
    setImmediate(this.#turn);
  };

  /** Handles a request, as soon as a turn has brought no connection. */
  readonly handle: RequestListener = (...request) => {
    if (this.#isAccepting) this.#waiting.push(request);
    else this.#listener(...request);
  };

  readonly #turn = (): void => {
    if (this.#hasAccepted && this.#turns < MOST_TURNS) {
      this.#hasAccepted = false;
      this.#turns += 1;
      setImmediate(this.#turn);
      return;
    }
    const requests = this.#waiting;
    this.#waiting = [];
    this.#isAccepting = false;
    this.#turns = 0;
    for (const request of requests) this.#listener(...request);
  };
}
