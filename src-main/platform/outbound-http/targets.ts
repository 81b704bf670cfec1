import { isIP, isIPv6 } from 'node:net';
import { remembered } from '../remembered.ts';
import { isLoopbackAddress } from './addresses.ts';

/**
 * What counts as one target, or one caller, in the limits of outbound requests.
 *
 * Names under one registered domain are one target, because whoever owns the domain can make any number of names in it.
 * The node has no list of all registries. It takes the last two labels, and three below a short second-level label such
 * as `co.uk`. Where that is wrong, neighbours share one limit.
 *
 * @returns the registered domain of a URL, an IPv4 address, or the /64 network of an IPv6 address. On this computer
 * each port is a target of its own. It is empty for a text that is no URL.
 */
export const siteOf = (url: URL | string): string => (typeof url === 'string' ? siteOfText(url) : siteOfUrl(url));

const siteOfText = remembered((url) => siteOfUrl(URL.parse(url)));

function siteOfUrl(parsed: URL | null): string {
  if (parsed === null) return '';
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host)) return parsed.host;
  if (isIP(host) !== 0) return networkOf(host);
  const labels = host.split('.');
  const [secondLevel = '', top = ''] = labels.slice(-2);
  return labels.slice(top.length === 2 && secondLevel.length <= 3 ? -3 : -2).join('.');
}

/** Some proxies name the port of a caller, too, such as `203.0.113.7:4711` and `[2001:db8::7]:4711`. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;

/**
 * The part of an IP address that one subscriber is given: the whole of an IPv4 address, the first 64 bits of an IPv6
 * address (RFC 6177). A port after it does not count. Whatever is no address is one network, so that nobody gets a
 * network for each address that they make up.
 */
export const networkOf = remembered((caller: string): string => {
  const [, inBrackets, beforePort] = WITH_PORT.exec(caller) ?? [];
  const address = inBrackets ?? beforePort ?? caller;
  if (isIP(address) === 0) return 'unknown';
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const start = head === '' ? [] : head.split(':');
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`;
});
