import { expect, it } from 'vitest';
import { CURRENCIES } from '../../src-shared/currencies.ts';
import { currencies } from './generate-currencies.mjs';

/**
 * The currencies of ISO 4217 by their minor unit, from its list one (current currencies and funds). They were compared
 * with the list that SIX, its maintenance agency, published on 2026-09-17, through two transcriptions of that list.
 * The list has 178 codes: these 155 and the 23 codes in which nobody keeps a shop's money. Those are funds and units of
 * account (BOV CHE CHW CLF COU MXV USN UYI UYW XAD XDR XSU XUA), metals and bonds (XAG XAU XPD XPT XBA XBB XBC XBD),
 * and the codes for tests and for no currency.
 */
const ISO_4217_OF_2026: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  2: `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK
    DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD
    KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP
    PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
    USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
};
/** VED and VES are two codes for the bolívar of Venezuela. The data of Node.js has only VES. */
const NOT_IN_NODE = 'VED';

it('the list offers the currencies that this Node.js knows', () => {
  expect(CURRENCIES).toEqual(currencies());
});

it('the list offers the currencies of ISO 4217 with their decimal places', () => {
  const official = Object.entries(ISO_4217_OF_2026)
    .flatMap(([scale, codes]) =>
      codes
        .trim()
        .split(/\s+/)
        .map((assetCode) => ({ assetCode, assetScale: Number(scale) })),
    )
    .filter(({ assetCode }) => assetCode !== NOT_IN_NODE)
    .sort((a, b) => a.assetCode.localeCompare(b.assetCode));
  expect(CURRENCIES).toEqual(official);
});
