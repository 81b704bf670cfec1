import { EventEmitter } from 'node:events';
import { Server } from 'node:net';
import { expect, it, vi } from 'vitest';
import { capsWithin, hearOnly } from './connections.ts';

/** The addresses whose connections a listener with these declared proxies does not close. */
function heardOf(proxies: readonly string[], addresses: readonly (string | undefined)[]) {
  const server = new Server();
  const refused = vi.fn();
  hearOnly(server, proxies, refused);
  const heard = addresses.filter((remoteAddress) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: vi.fn() });
    server.emit('connection', socket);
    return socket.destroy.mock.calls.length === 0;
  });
  return { heard, refused };
}

it('the listener hears this computer and the declared proxies, however their addresses are written', () => {
  const friends = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '192.0.2.7', '::ffff:192.0.2.7', '10.1.2.3', 'fd00::9'];
  const { heard, refused } = heardOf(['192.0.2.7', '10.0.0.0/8', 'fd00::/8'], friends);
  expect(heard).toEqual(friends);
  expect(refused).not.toHaveBeenCalled();
});

it('the listener closes the connections of all others, and says so once', () => {
  const strangers = ['192.0.2.8', '::ffff:192.0.2.8', '11.0.0.1', '2001:db8::1', '', undefined];
  const { heard, refused } = heardOf(['192.0.2.7', '10.0.0.0/8'], strangers);
  expect(heard).toEqual([]);
  expect(refused).toHaveBeenCalledOnce();
});

it('a process that may open few files takes fewer connections, and half of them at most from one address', () => {
  expect([200, 4_000, 1_000_000].map(capsWithin)).toEqual([
    { total: 100, perAddress: 50 },
    { total: 2_000, perAddress: 1_000 },
    { total: 2_000, perAddress: 1_000 },
  ]);
});
