import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamCredentials } from './stream-credentials.ts';
import { libraryServer } from './testing/library-server.ts';
import { craft, JPY, NODE_ADDRESS, SECRET, USD } from './testing/network.ts';

const ID = '0b5a44ee-5f0c-4fd9-8b8c-7f5d9e3b1a10';
const credentials = new StreamCredentials(SECRET, NODE_ADDRESS);

describe('stream credentials', () => {
  it('are the same each time and after a restart', () => {
    expect(credentials.issue(ID, USD)).toEqual(new StreamCredentials(SECRET, NODE_ADDRESS).issue(ID, USD));
    expect(credentials.issue(ID, USD).sharedSecret).toHaveLength(32);
  });

  it('are the same when more payments have passed than are remembered', () => {
    const busy = new StreamCredentials(SECRET, NODE_ADDRESS);
    const before = busy.issue(ID, USD);
    for (let n = 0; n < 10_000; n += 1) busy.issue(`payment-${n}`, USD);
    expect(busy.issue(ID, USD)).toEqual(before);
    expect(busy.issue(ID, USD)).not.toBe(before);
    expect(busy.open(before.ilpAddress)?.incomingPaymentId).toBe(ID);
  });

  it('differ by payment, asset and node secret', () => {
    const others = [
      credentials.issue('another', USD),
      credentials.issue(ID, JPY),
      new StreamCredentials(Buffer.alloc(32, 1), NODE_ADDRESS).issue(ID, USD),
    ];
    const mine = credentials.issue(ID, USD);
    for (const other of others) {
      expect(other.ilpAddress).not.toBe(mine.ilpAddress);
      expect(other.sharedSecret.equals(mine.sharedSecret)).toBe(false);
    }
  });

  it('lead back to their payment, for any id', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{1,127}$/), (id) => {
        const { ilpAddress, sharedSecret } = credentials.issue(id, USD);
        const opened = { incomingPaymentId: id, asset: USD, sharedSecret };
        expect(credentials.open(ilpAddress)).toEqual(opened);
        // An instance that remembers nothing knows only what the address says.
        const other = new StreamCredentials(SECRET, NODE_ADDRESS);
        for (const _ of [1, 2]) expect(other.open(ilpAddress)).toEqual(opened);
      }),
    );
  });

  it('do not open when anything in the address was changed', () => {
    const { ilpAddress } = credentials.issue(ID, USD);
    const start = NODE_ADDRESS.length + 1;
    fc.assert(
      fc.property(fc.integer({ min: start, max: ilpAddress.length - 1 }), fc.stringMatching(/^[A-Za-z0-9_~-]$/), (at, character) => {
        fc.pre(ilpAddress[at] !== character);
        expect(credentials.open(ilpAddress.slice(0, at) + character + ilpAddress.slice(at + 1))).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: start, max: ilpAddress.length - 1 }), (at) => {
        expect(credentials.open(ilpAddress.slice(0, at))).toBeUndefined();
      }),
    );
  });

  it('bind the asset, so that an address with a cheaper asset in it is nobody’s', () => {
    const { ilpAddress } = credentials.issue(ID, USD);
    expect(credentials.open(ilpAddress.replace('USD-2', 'JPY-0'))).toBeUndefined();
  });

  it('do not open at a node with another secret', () => {
    expect(new StreamCredentials(Buffer.alloc(32, 1), NODE_ADDRESS).open(credentials.issue(ID, USD).ilpAddress)).toBeUndefined();
  });

  it('have the library’s format, so that its own server takes packets for them', async () => {
    const { ilpAddress, sharedSecret } = credentials.issue(ID, USD);
    const { server, answer } = await libraryServer();
    const tags: (string | undefined)[] = [];
    server.on('connection', (connection) => tags.push(connection.connectionTag));
    expect((await answer(await craft({ ilpAddress, sharedSecret }, { frames: [] }))).fulfilled).toBe(true);
    expect(tags).toEqual([ID]);
    await server.close();
  });
});
