import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How many requests a connection may have sent ahead of the one under way. Browsers and clients of the official library
 * send none ahead.
 */
const AHEAD = 16;

interface Turn {
  isBusy: boolean;
  waiting: [IncomingMessage, ServerResponse][];
}

/**
 * Handles the requests of each connection one after the other: the next one begins when the answer before it was
 * handed to the network. A client that sends requests ahead (RFC 9112 §9.3.2) and reads no answers so has one answer
 * in memory, not thousands. While requests wait, nothing more is read from their connection. Node has read a part of
 * what follows by then; a connection with more than {@link AHEAD} requests in that part is closed.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const turns = new WeakMap<Socket, Turn>();
  const begin = (turn: Turn, request: IncomingMessage, response: ServerResponse): void => {
    turn.isBusy = true;
    response.once('close', () => {
      turn.isBusy = false;
      const next = request.socket.destroyed ? undefined : turn.waiting.shift();
      if (next !== undefined) begin(turn, ...next);
      if (turn.waiting.length === 0) request.socket.resume();
    });
    listener(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const turn = turns.get(socket) ?? { isBusy: false, waiting: [] };
    turns.set(socket, turn);
    if (!turn.isBusy) begin(turn, request, response);
    else if (turn.waiting.length < AHEAD) {
      turn.waiting.push([request, response]);
      socket.pause();
    } else socket.destroy();
  };
}
