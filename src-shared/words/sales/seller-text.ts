import type { SellingParty } from '../../operator-contract/shop/closings.ts';
import { inertText } from '../inert-text.ts';
import { area } from '../language/language.ts';

const [closings, people, tills] = [area('closings'), area('people'), area('tills')];

/** Who asked for payments, in words that tell a till and a key from a person of the same name. */
export function sellerText({ kind, name }: Pick<SellingParty, 'kind' | 'name'>): string {
  const told = { name: inertText(name) };
  if (kind === 'till') return tills.by(told);
  if (kind === 'key') return people.keyOf(told);
  return name === '' ? closings.owner : told.name;
}

/** The beginning of an id, which tells two of one name apart. */
const MARK = 4;

/** The same for several. Where two are told alike, the beginning of their id stands behind each. */
export function sellerTexts(parties: readonly SellingParty[]): string[] {
  const texts = parties.map((party) => sellerText(party));
  const ids = Map.groupBy(parties, (party) => sellerText(party));
  return parties.map(({ id }, nth) => {
    const text = texts[nth] ?? '';
    const isAlone = new Set(ids.get(text)?.map((one) => one.id)).size < 2;
    return isAlone || id === '' ? text : `${text} · ${id.slice(0, MARK)}`;
  });
}
