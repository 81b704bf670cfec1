import { RESERVED_NAMES } from '../../../src-shared/wallet-address-names.ts';

const MOST = 64;

/** A wallet address name made from the name payers see, such as `cafe-zoe` from "Café Zoë"; empty when nothing is left of it. */
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
