import { connect, type Socket } from 'node:net';
import type { PrinterProblem } from '../../../src-shared/receipts/print-jobs.ts';
import { ok, type Result, refuse } from '../result.ts';

/** Where a printer listens for bytes that it prints as they come ("raw", usually port 9100). */
interface PrinterPlace {
  host: string;
  port: number;
}

/** The longest times, in milliseconds, until the printer takes a connection, and until it has taken everything. */
const LIMITS = { connectMs: 5_000, sendMs: 20_000 };

/** The errors that say more than that nothing answers. */
const PROBLEMS: Readonly<Record<string, PrinterProblem>> = {
  ENOTFOUND: 'name_unknown',
  EAI_AGAIN: 'name_unknown',
  ECONNREFUSED: 'refused',
};

const problemOf = (error: Error): PrinterProblem => PROBLEMS['code' in error ? String(error.code) : ''] ?? 'no_answer';

/**
 * Connects with a printer. It is the one connection for which private addresses are allowed, because only the owner or
 * a manager says where the printer is (decisions.md#D-297).
 */
export async function connectPrinter({ host, port }: PrinterPlace, limits = LIMITS): Promise<Result<PrinterLine, PrinterProblem>> {
  const socket = connect({ host, port, allowHalfOpen: true });
  const connected = Promise.withResolvers<PrinterProblem | undefined>();
  socket.once('connect', () => connected.resolve(undefined));
  socket.once('error', (error) => connected.resolve(problemOf(error)));
  const timer = setTimeout(() => connected.resolve('no_answer'), limits.connectMs);
  const problem = await connected.promise;
  clearTimeout(timer);
  if (problem === undefined) return ok(new PrinterLine(socket, limits.sendMs));
  socket.on('error', () => undefined);
  socket.destroy();
  return refuse(problem);
}

/** An open connection with a printer. What the printer says is thrown away. */
class PrinterLine {
  readonly #socket: Socket;
  readonly #sendMs: number;
  readonly #ended = Promise.withResolvers<boolean>();
  #hasSentAll = false;
  #isOpen = true;

  constructor(socket: Socket, sendMs: number) {
    this.#socket = socket;
    this.#sendMs = sendMs;
    socket.on('error', () => this.#end(false));
    // A printer that ends the connection before it has got everything has not taken it.
    socket.on('end', () => this.#end(this.#hasSentAll));
    socket.on('close', () => this.#end(false));
    socket.resume();
  }

  /** Whether the printer still keeps the connection. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Sends everything and ends the connection.
   * @returns whether the printer has then ended it from its side without an error: it has taken everything. Nobody
   * knows what a printer did that breaks off, or that does not end in time.
   */
  async send(bytes: Uint8Array): Promise<boolean> {
    const timer = setTimeout(() => this.#end(false), this.#sendMs);
    this.#socket.end(bytes, () => {
      this.#hasSentAll = true;
    });
    const hasTaken = await this.#ended.promise;
    clearTimeout(timer);
    this.close();
    return hasTaken;
  }

  close(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  #end(hasTaken: boolean): void {
    this.#isOpen = false;
    this.#ended.resolve(hasTaken);
  }
}
