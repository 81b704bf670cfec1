import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Listens on ::1, too, because browsers look for `localhost` there as well. Passkeys need that name
 * (decisions.md#D-177), and another program of this computer that had ::1 would get the console's links.
 * @returns in `isOurs` whether the name leads to this node only: no other program has the port at ::1.
 */
export async function listenToTwin(app: FastifyInstance, port: number): Promise<{ isOurs: boolean; close(): void }> {
  const { requestTimeout, headersTimeout, keepAliveTimeout } = app.server;
  // Node refuses a server whose headers may take longer than its requests.
  const twin = createServer({ requestTimeout, headersTimeout: Math.min(headersTimeout, requestTimeout), keepAliveTimeout });
  twin.on('request', (request, response) => app.server.emit('request', request, response));
  twin.on('clientError', (error, socket) => app.server.emit('clientError', error, socket));
  const problem = await new Promise<string | undefined>((resolve) => {
    twin.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    twin.listen({ host: '::1', port }, () => resolve(undefined));
  });
  const close = () => {
    twin.close();
    twin.closeAllConnections();
  };
  // Without IPv6 nobody can listen there.
  return { isOurs: problem === undefined || problem === 'EADDRNOTAVAIL' || problem === 'EAFNOSUPPORT', close };
}
