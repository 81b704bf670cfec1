import { BlockList, isIPv4, isIPv6 } from 'node:net';

// The IANA special-purpose address registries (RFC 6890), and other addresses that nobody reaches from outside.
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '168.63.129.16/32', // metadata service of Azure, although the address looks public
  '169.254.0.0/16', // link-local, with the metadata services of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3', // multicast, reserved, broadcast
];

/** Every other address is refused: loopback, unique-local, link-local, multicast, IPv4-mapped, NAT64, discard-only. */
const GLOBAL_IPV6 = ['2000::/3'];
const REFUSED_IPV6 = [
  '2001::/23', // protocol assignments, among them Teredo
  '2001:db8::/32',
  '2002::/16', // 6to4
  '2620:4f:8000::/48',
  '3fff::/20',
];

const refusedIpv4 = blockList(REFUSED_IPV4, 'ipv4');
const globalIpv6 = blockList(GLOBAL_IPV6, 'ipv6');
const refusedIpv6 = blockList(REFUSED_IPV6, 'ipv6');
const loopbackIpv4 = blockList(['127.0.0.0/8'], 'ipv4');

/** Tells whether anybody on the internet can reach `address`, a canonical IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedIpv4.check(address, 'ipv4');
  return isIPv6(address) && globalIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6');
}

/** Tells whether `address`, a canonical IP address, is this computer. */
export function isLoopbackAddress(address: string): boolean {
  return isIPv4(address) ? loopbackIpv4.check(address, 'ipv4') : address === '::1';
}

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
