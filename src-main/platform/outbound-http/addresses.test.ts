import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';
import { createOutboundHttp } from './outbound-http.ts';

/** Different spellings of hosts that are not on the internet. */
const SPELLINGS = {
  loopback: [
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '127.000.000.001',
    '0177.0.0.1',
    '0177.0.0.01',
    '0177.1',
    '00000177.1',
    '0x7f.0.0.1',
    '0x7f.1',
    '0X7F.0X0.0X0.0X1',
    '0x7f000001',
    '0x00000000007f000001',
    '2130706433',
    '017700000001',
    '0000017700000001',
    '127.0.0.0x1',
    '127.0x000001',
    '127.255.255.254',
    '127.0.0.2',
    '127.127.127.127',
    '127.8.8.8',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '127。0。0。1',
    '127．0．0．1',
    '１２７.０.０.１',
    '①②⑦.0.0.1',
    '127.0.0.%31',
    '0x7F.0.1',
    '2130706434',
    '0x7fffffff',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::0001]',
    '[0::1]',
    '[::0.0.0.1]',
  ],
  mapped: [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:0001]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::ffff:192.168.1.1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[::ffff:0:7f00:1]',
  ],
  translated: [
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b::808:808]',
    '[64:ff9b:1::1]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[2002:7f00:1::1]',
    '[2002:a00:1::1]',
    '[2002:a9fe:a9fe::]',
    '[2002:c0a8:101::1]',
    '[2001::1]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[2001:0000:7f00:1::]',
  ],
  unspecified: ['0.0.0.0', '0', '00', '0x0', '0.0', '0.1.2.3', '[::]', '[0:0:0:0:0:0:0:0]'],
  private: [
    '10.0.0.1',
    '10.255.255.255',
    '10.1',
    '012.0.0.1',
    '0xa.0.0.1',
    '0x0a000001',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
    '172.16.1',
    '2886729729',
    '0xac100001',
    '192.168.0.1',
    '192.168.1.254',
    '192.168.257',
    '3232235777',
    '0xc0a80101',
    '0300.0250.1.1',
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.1',
    '192.0.0.8',
    '198.18.0.1',
    '198.19.255.255',
    '[fc00::1]',
    '[fd00::1]',
    '[fdff:ffff::1]',
    '[fec0::1]',
  ],
  'link-local and metadata': [
    '169.254.169.254',
    '169.254.0.1',
    '2852039166',
    '0xa9fea9fe',
    '0xa9.0xfe.0xa9.0xfe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '169.16689662',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '[fe80::1]',
    '[febf::1]',
    '[fe80::a9fe:a9fe]',
    '[fd00:ec2::254]',
  ],
  'multicast, reserved, documentation': [
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '4294967295',
    '0xffffffff',
    '037777777777',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '192.88.99.1',
    '[ff02::1]',
    '[ff0e::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
    '[4000::1]',
    '[5f00::1]',
    '[2001:10::1]',
  ],
};
const ALL = Object.values(SPELLINGS).flat();

let connections = 0;
const server = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address !== null && typeof address === 'object') port = address.port;
});
afterAll(() => {
  server.close();
});

describe('addresses that are not on the internet', () => {
  it.each(Object.entries(SPELLINGS))('of the kind "%s" are refused without a look-up or a connection', async (kind, hosts) => {
    let lookUps = 0;
    const lookUp = async (): Promise<never[]> => {
      lookUps += 1;
      return [];
    };
    const strict = createOutboundHttp({ development: false, lookUp });
    const open = createOutboundHttp({ development: true, lookUp });
    for (const host of hosts) {
      const url = `https://${host}:${port}/jwks.json`;
      expect(await strict.getJson(url), url).toEqual({ ok: false, error: 'address_not_allowed' });
      if (kind === 'loopback') continue;
      expect(await open.getJson(url.replace('https:', 'http:')), url).toEqual({ ok: false, error: 'address_not_allowed' });
    }
    expect(lookUps).toBe(0);
    expect(connections).toBe(0);
  });

  it('are refused without a connection when a name leads to one of them, even among public addresses', async () => {
    for (const spelling of ALL) {
      const address = new URL(`http://${spelling}`).hostname.replace(/^\[|\]$/g, '');
      expect(isPublicAddress(address), spelling).toBe(false);
      const denied = { address, family: address.includes(':') ? 6 : 4 };
      for (const answer of [[denied], [{ address: '8.8.8.8', family: 4 }, denied]]) {
        const http = createOutboundHttp({ development: false, lookUp: async () => answer });
        const outcome = await http.getJson(`https://wallet.example:${port}/jwks.json`);
        expect(outcome, spelling).toEqual({ ok: false, error: 'address_not_allowed' });
      }
    }
    expect(connections).toBe(0);
  });

  it('are tested in at least 120 spellings', () => {
    expect(new Set(ALL).size).toBeGreaterThanOrEqual(120);
  });
});

describe('addresses on the internet', () => {
  const PUBLIC = [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '203.0.114.0',
    '223.255.255.255',
    '2a00:1450::1',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2400:cb00::1',
    '3ffe::1',
  ];
  it.each(PUBLIC)('include %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
    expect(isLoopbackAddress(address)).toBe(false);
  });

  it('do not include the own computer, and only the own computer is loopback', () => {
    for (const address of ['127.0.0.1', '127.255.255.255', '::1']) expect(isLoopbackAddress(address)).toBe(true);
    for (const address of ['10.0.0.1', '::', '::ffff:7f00:1', '0.0.0.0', '169.254.169.254', 'localhost', '']) {
      expect(isLoopbackAddress(address)).toBe(false);
      expect(isPublicAddress(address)).toBe(false);
    }
  });
});
