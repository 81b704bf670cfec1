import type { Socket, Server as TcpServer } from 'node:net';
import { BlockList, isIP } from 'node:net';
import { FILES_NEEDED } from '../open-files.ts';

/**
 * How many connections a listener keeps open at a time (decisions.md#D-04). Each takes a file descriptor, and
 * a process has few of them.
 */
export interface ConnectionCaps {
  total: number;
  /** The most from one address, so that one stranger cannot take all of them. */
  perAddress: number;
}

/**
 * The caps of a process that may have this many files open. Half of them stay for its own files and for the requests
 * that it sends.
 */
export function capsWithin(openFiles: number): ConnectionCaps {
  const total = Math.floor(Math.min(openFiles, FILES_NEEDED) / 2);
  return { total, perAddress: Math.floor(total / 2) };
}

const TELL_AGAIN_MS = 60_000;

/**
 * Closes every connection that does not come from this computer or a declared proxy, at once and without an answer
 * (decisions.md#D-03). Without a certificate of its own a node sends plain text, which nobody on the network may read.
 * @param proxies addresses such as 10.0.0.1 and 10.0.0.0/8
 * @param onRefused is called at most once a minute while connections are refused.
 */
export function hearOnly(server: TcpServer, proxies: readonly string[], onRefused: () => void): void {
  const isHeard = plainTextFrom(proxies);
  const refused = atMostOnceAMinute(onRefused);
  server.prependListener('connection', (socket: Socket) => {
    if (isHeard(socket)) return;
    socket.destroy();
    refused();
  });
}

/**
 * Tells of a connection whether plain text may come over it: it comes from this computer or a declared proxy.
 * @param proxies addresses such as 10.0.0.1 and 10.0.0.0/8
 */
export function plainTextFrom(proxies: readonly string[]): (socket: Pick<Socket, 'remoteAddress'>) => boolean {
  const heard = new BlockList();
  for (const proxy of ['127.0.0.0/8', '::1', ...proxies]) {
    const [address = '', prefix] = proxy.split('/');
    const family = familyOf(address);
    if (prefix === undefined) heard.addAddress(address, family);
    else heard.addSubnet(address, Number(prefix), family);
  }
  return ({ remoteAddress: address = '' }) => isIP(address) !== 0 && heard.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** @returns a function that calls `tell` at most once a minute. */
export function atMostOnceAMinute(tell: () => void): () => void {
  let told = false;
  return () => {
    if (told) return;
    told = true;
    setTimeout(() => {
      told = false;
    }, TELL_AGAIN_MS).unref();
    tell();
  };
}

/**
 * Closes connections beyond the caps, at once and without an answer: an answer would cost what the caps protect.
 * @param byAddress false behind a declared proxy, because many clients come from its address.
 * @param onRefused is called at most once a minute while connections are refused.
 */
export function capConnections(server: TcpServer, caps: ConnectionCaps, byAddress: boolean, onRefused: () => void): void {
  const refused = atMostOnceAMinute(onRefused);
  server.maxConnections = caps.total;
  server.on('drop', refused);
  if (!byAddress) return;
  const open = new Map<string, number>();
  // It runs before all other listeners, so that they set up nothing for a connection that is closed right away.
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = open.get(address) ?? 0;
    if (count >= caps.perAddress) {
      socket.destroy();
      refused();
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
