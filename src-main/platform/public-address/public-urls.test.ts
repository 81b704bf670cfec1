import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PublicUrls } from './public-urls.ts';

const ORIGIN = 'https://pay.example';
const FORMER = 'http://127.0.0.1:3000';
const urls = new PublicUrls(ORIGIN, [FORMER, ORIGIN]);
const id = randomUUID();

describe('PublicUrls', () => {
  it('renders every URL under the current origin', () => {
    expect(urls.origin).toBe(ORIGIN);
    expect(urls.origins).toEqual([ORIGIN, FORMER]);
    expect(urls.authServer).toBe('https://pay.example/auth');
    expect(urls.walletAddress('shop')).toBe('https://pay.example/shop');
    expect(urls.incomingPayment(id)).toBe(`https://pay.example/incoming-payments/${id}`);
  });

  it('recognises the URLs that it renders, under every origin that it has had', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.stringMatching(/^[a-z0-9-]{1,64}$/), fc.constantFrom(ORIGIN, FORMER), (uuid, name, origin) => {
        const at = new PublicUrls(origin);
        expect(urls.parse(at.walletAddress(name))).toEqual({ kind: 'wallet-address', name });
        expect(urls.parse(at.incomingPayment(uuid))).toEqual({ kind: 'incoming-payment', id: uuid });
        expect(urls.parse(at.outgoingPayment(uuid))).toEqual({ kind: 'outgoing-payment', id: uuid });
        expect(urls.parse(at.quote(uuid))).toEqual({ kind: 'quote', id: uuid });
      }),
    );
  });

  it.each([
    'https://pay.example',
    'https://pay.example/',
    'https://pay.example/Shop',
    'https://pay.example/shop/',
    'https://pay.example/shop?a=b',
    'https://pay.example/shop#top',
    'https://pay.example//shop',
    'https://pay.example/sh%6Fp',
    `https://pay.example/${'a'.repeat(65)}`,
    'https://pay.example.evil.example/shop',
    'https://pay.example@evil.example/shop',
    'https://pay.example:8443/shop',
    'http://pay.example/shop',
    'HTTPS://pay.example/shop',
    `https://pay.example/incoming-payments/${id.toUpperCase()}`,
    `https://pay.example/incoming-payments/${id}/`,
    `https://pay.example/incoming-payments/${id}/complete`,
    `https://pay.example/incoming-payments/${id}?x`,
    `https://pay.example/incoming-payments/../quotes/${id}`,
    `https://pay.example/constructor/${id}`,
    `https://pay.example/__proto__/${id}`,
    `https://pay.example/incoming-payments/`,
    '',
    'shop',
  ])('does not take "%s" for its own', (url) => expect(urls.parse(url)).toBeUndefined());

  it.each([
    ['https://pay.example', true],
    ['https://pay.example:8443', false],
    ['http://127.0.0.1:3000', false],
  ])('says whether %s makes proper wallet addresses: %s', (origin, expected) => {
    expect(new PublicUrls(origin).areProper).toBe(expected);
  });

  it.each([
    ['pay.example', ORIGIN],
    ['PAY.example', ORIGIN],
    ['127.0.0.1:3000', FORMER],
    ['127.0.0.1', ORIGIN],
    ['evil.example', ORIGIN],
    [undefined, ORIGIN],
  ])('takes a request for the host %s as one under %s', (host, origin) => {
    expect(urls.originAt(host)).toBe(origin);
  });

  it('takes a wallet address under a former origin for the same wallet address', () => {
    expect(urls.sameWalletAddress(`${ORIGIN}/shop`, `${FORMER}/shop`)).toBe(true);
    expect(urls.sameWalletAddress(`${ORIGIN}/shop`, `${ORIGIN}/other`)).toBe(false);
    expect(urls.sameWalletAddress('https://elsewhere.example/shop', 'https://elsewhere.example/shop')).toBe(true);
    expect(urls.sameWalletAddress('https://elsewhere.example/shop', `${ORIGIN}/shop`)).toBe(false);
    expect(urls.sameWalletAddress(`${ORIGIN}/quotes/${id}`, `${FORMER}/quotes/${id}`)).toBe(false);
  });
});
