import type { Asset } from './amounts.ts';

// Written by scripts/generating/generate-currencies.mjs: change it there.

/** The codes of the currencies in circulation, by their decimal places ("minor unit" in ISO 4217). */
const CODES: readonly (readonly [assetScale: number, lines: readonly string[]])[] = [
  [0, ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF']],
  [
    2,
    [
      'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK',
      'DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD',
      'KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP',
      'PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH',
      'USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG',
    ],
  ],
  [3, ['BHD IQD JOD KWD LYD OMR TND']],
];

/** The currencies of ISO 4217 that are in circulation, in alphabetical order of their codes. */
export const CURRENCIES: readonly Asset[] = CODES.flatMap(([assetScale, lines]) =>
  lines.flatMap((line) => line.split(' ').map((assetCode) => ({ assetCode, assetScale }))),
).sort((a, b) => a.assetCode.localeCompare(b.assetCode));
