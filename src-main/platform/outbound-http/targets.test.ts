import { expect, it } from 'vitest';
import { networkOf, siteOf } from './targets.ts';

it.each([
  ['https://wallet.example/alice', 'wallet.example'],
  ['https://a.b.wallet.example:8443/alice', 'wallet.example'],
  ['https://WALLET.example./alice', 'wallet.example'],
  ['https://shop.co.uk/till', 'shop.co.uk'],
  ['https://till.shop.co.uk/1', 'shop.co.uk'],
  ['https://till.shop.de/1', 'shop.de'],
  ['https://203.0.113.7:81/', '203.0.113.7'],
  ['https://[2001:db8:1:2:3:4:5:6]/', '2001:db8:1:2::/64'],
  ['http://127.0.0.1:3000/alice', '127.0.0.1:3000'],
  ['http://localhost:3000/alice', 'localhost:3000'],
  ['jwk:abc', ''],
  ['', ''],
])('the site of %j is %j', (url, site) => {
  expect(siteOf(url)).toBe(site);
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['192.0.2.1:443', '192.0.2.1'],
  ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
  ['[2001:db8::1]', '2001:db8:0:0::/64'],
  ['[::ffff:192.0.2.1]:1', '192.0.2.1'],
  ['_hidden', 'unknown'],
  ['', 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
