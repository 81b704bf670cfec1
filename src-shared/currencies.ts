import type { Asset } from './amounts.ts';

/** ISO 4217 currencies in circulation with their decimal places ("minor unit"), by code. */
const MINOR_UNITS: Record<string, string> = {
  '0': 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  '3': 'BHD IQD JOD KWD LYD OMR TND',
  '2':
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK ' +
    'DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR ' +
    'LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR ' +
    'SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW ZWG',
};

/** The ISO 4217 list, in alphabetical order of its codes. */
export const CURRENCIES: readonly Asset[] = Object.entries(MINOR_UNITS)
  .flatMap(([scale, codes]) => codes.split(' ').map((assetCode) => ({ assetCode, assetScale: Number(scale) })))
  .sort((a, b) => a.assetCode.localeCompare(b.assetCode));
