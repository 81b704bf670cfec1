import { deserializeIlpReply, isFulfill } from 'ilp-packet';
import { serializeIldcpResponse } from 'ilp-protocol-ildcp';
import { Server } from 'ilp-protocol-stream';
import type { Reply } from '../packets.ts';
import { ignore } from './library-connection.ts';
import { NODE_ADDRESS, SECRET, USD } from './network.ts';

/** The library's own receiving server, as others run it, with the secret of the test network's receivers. */
export interface LibraryServer {
  readonly server: Server;
  /** Hands it a PREPARE, and gives its answer in the form of a connector's. */
  readonly answer: (bytes: Buffer) => Promise<Reply>;
  /** What it has sent by itself since it listens. */
  readonly sent: Buffer[];
}

/** Makes a server that listens. The test closes it. */
export async function libraryServer(): Promise<LibraryServer> {
  const sent: Buffer[] = [];
  let handle = (_data: Buffer): Promise<Buffer> => Promise.reject(new Error('not listening'));
  const server = new Server({
    serverSecret: SECRET,
    disconnectDelay: 1,
    plugin: {
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      isConnected: () => true,
      sendData: (bytes) => {
        sent.push(bytes);
        return Promise.resolve(serializeIldcpResponse({ ...USD, clientAddress: `${NODE_ADDRESS}.USD-2` }));
      },
      registerDataHandler: (handler) => {
        handle = handler;
      },
      deregisterDataHandler: ignore,
    },
  });
  await server.listen();
  // To listen it has asked for its own address.
  sent.length = 0;
  const answer = async (prepare: Buffer): Promise<Reply> => {
    const bytes = await handle(prepare);
    const reply = deserializeIlpReply(bytes);
    return isFulfill(reply) ? { fulfilled: true, bytes } : { fulfilled: false, code: reply.code, bytes };
  };
  return { server, answer, sent };
}
