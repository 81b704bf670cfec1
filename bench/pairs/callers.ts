import { ClientWallet } from '../../e2e/support/clients/client-wallet.ts';
import { prepareLikeTheSdk } from '../../e2e/support/clients/raw-client.ts';
import { type Answer, HttpConnection, requestBytes } from '../support/load.ts';

/** The kinds of signed requests that a payment between two nodes takes. */
export type Call = 'invoice' | 'pay' | 'poll';

/** A node closes a connection that has rested for five seconds, so one that has rested this long is not used again. */
const LONGEST_REST_MS = 3_000;

interface FreeConnection {
  readonly connection: HttpConnection;
  /** Since when it rests. */
  readonly since: number;
}

/** A client that signs each request when it sends it, and notes how long each kind takes. */
export class Callers {
  /** Milliseconds of each call that was answered as it should be. */
  readonly latencies: Record<Call, number[]> = { invoice: [], pay: [], poll: [] };
  /** How often each code has refused. */
  readonly refused = new Map<string, number>();
  readonly #client: ClientWallet;
  readonly #free = new Map<string, FreeConnection[]>();

  private constructor(client: ClientWallet) {
    this.#client = client;
  }

  static async start(): Promise<Callers> {
    return new Callers(await ClientWallet.start());
  }

  get client(): ClientWallet {
    return this.#client;
  }

  /** Forgets what was noted so far, and closes what rests: the nodes close a connection that rests for long. */
  reset(): void {
    this.#closeFree();
    for (const list of Object.values(this.latencies)) list.length = 0;
    this.refused.clear();
  }

  async stop(): Promise<void> {
    this.#closeFree();
    await this.#client.stop();
  }

  /** Sends one request. @returns the body, or undefined when the node refused. */
  async send(call: Call, request: { method: 'GET' | 'POST'; url: string; token: string; body?: object }): Promise<unknown> {
    const { method, url, token, body } = request;
    const began = performance.now();
    const signed = prepareLikeTheSdk(this.#client, method, url, token, body);
    const answer = await this.#transmit(new URL(url).origin, requestBytes(method, url, signed.headers, signed.body));
    if (answer instanceof Error) return this.#refuse(call, answer.message, '');
    const { status, body: text } = answer;
    if (status !== 200 && status !== 201) return this.#refuse(call, status, text.toString());
    this.latencies[call].push(performance.now() - began);
    return JSON.parse(text.toString());
  }

  /** @returns the answer, or why there was none. */
  async #transmit(origin: string, bytes: Buffer): Promise<Answer | Error> {
    const free = this.#free.get(origin) ?? [];
    this.#free.set(origin, free);
    const usable = free.findIndex(({ since }) => performance.now() - since < LONGEST_REST_MS);
    for (const { connection } of free.splice(0, usable < 0 ? free.length : usable)) connection.close();
    try {
      const connection = free.pop()?.connection ?? (await HttpConnection.open(origin));
      const answer = await connection.send(bytes);
      free.push({ connection, since: performance.now() });
      return answer;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #closeFree(): void {
    for (const { connection } of [...this.#free.values()].flat()) connection.close();
    this.#free.clear();
  }

  #refuse(call: Call, status: number | string, text: string): undefined {
    const key = `${call} ${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`;
    this.refused.set(key, (this.refused.get(key) ?? 0) + 1);
  }
}
