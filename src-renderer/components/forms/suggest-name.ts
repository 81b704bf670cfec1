import { RESERVED_NAMES } from '../../../src-shared/wallet-address-names.ts';

const MOST = 64;

/**
 * A wallet address name made from the public name, such as `cafe-zoe` from "Café Zoë". It is empty when no letter or
 * digit is left.
 */
export function suggestName(publicName: string): string {
  const name = publicName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST)
    .replace(/^-+|-+$/g, '');
  return RESERVED_NAMES.has(name) ? `${name}-1` : name;
}
