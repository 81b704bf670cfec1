import { DataAndMoneyStream } from 'ilp-protocol-stream';
import { describe, expect, it } from 'vitest';
import { ignore, ShimmedConnection } from './library-connection.ts';
import { turns } from './network.ts';

const sent: Buffer[] = [];

const connection = (): ShimmedConnection =>
  new ShimmedConnection({
    assetCode: 'USD',
    assetScale: 2,
    connectionId: 'test',
    isServer: false,
    sourceAccount: 'private.a',
    destinationAccount: 'private.b',
    sharedSecret: Buffer.alloc(32),
    plugin: {
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      isConnected: () => true,
      sendData: (bytes) => {
        sent.push(bytes);
        return new Promise(ignore);
      },
      registerDataHandler: ignore,
      deregisterDataHandler: ignore,
    },
  });

describe('the cures of the library’s connection', () => {
  it('let the library make its streams on this Node, open and able to close', async () => {
    const stream = new DataAndMoneyStream({ id: 1, isServer: false, connectionId: 'test' });
    expect(stream.isOpen()).toBe(true);
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(stream.isOpen()).toBe(false);
  });

  it('survive an error of a connection', () => {
    expect(() => connection().emit('error', new Error('from a peer'))).not.toThrow();
  });

  it('say nothing when a connection with an open stream is destroyed', async () => {
    const destroyed = connection();
    destroyed.createStream().on('error', ignore);
    await destroyed.destroy(new Error('stop'));
    await turns(10);
    expect(sent).toEqual([]);
  });
});
