import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A computer elsewhere that tells rates, in the form of the European Central Bank's daily file and as JSON. */
export class RateServer {
  /** What it answers with the status 200. A number is another status, with an empty body. */
  answer: string | number = 503;
  readonly url: string;
  readonly #close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async start(): Promise<RateServer> {
    const server = createServer((_request, response) => {
      const { answer } = rates;
      if (typeof answer === 'number') response.writeHead(answer).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(answer);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const rates = new RateServer(`http://127.0.0.1:${port}/daily`, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return rates;
  }

  /** Tells rates of the euro, from this day. */
  sayEuro(rates: Readonly<Record<string, string>>, day = new Date().toISOString().slice(0, 10)): void {
    const cubes = Object.entries(rates).map(([currency, rate]) => `<Cube currency='${currency}' rate='${rate}'/>`);
    this.answer = `<gesmes:Envelope><Cube><Cube time='${day}'>${cubes.join('')}</Cube></Cube></gesmes:Envelope>`;
  }

  async stop(): Promise<void> {
    await this.#close();
  }
}
