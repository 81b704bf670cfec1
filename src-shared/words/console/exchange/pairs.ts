import type { Fee } from '../../../operator-contract/exchange/pairs.ts';
import { plainNumberText } from '../../amount-text.ts';
import { durationText } from '../../duration-text.ts';
import { area, extended } from '../../language/language.ts';
import { percentText } from '../../rate-text.ts';

const text = area('pairs');

const isSome = (amount: string): boolean => /[1-9]/.test(amount);

/** A fee in words, such as “Your node takes 0.30 USD and 1 % of what the payer pays, at least 0.50 USD.” */
function feeText(base: string, { fixed, shareBps, minimum }: Fee): string {
  const says = text.fees.takes;
  const facts = {
    fixed: `${plainNumberText(fixed)} ${base}`,
    share: percentText(shareBps),
    minimum: `${plainNumberText(minimum)} ${base}`,
  };
  const hasLeast = isSome(minimum);
  if (isSome(fixed) && shareBps > 0) return hasLeast ? says.bothLeast(facts) : says.both(facts);
  if (isSome(fixed)) return hasLeast ? says.fixedLeast(facts) : says.fixed(facts);
  if (shareBps > 0) return hasLeast ? says.shareLeast(facts) : says.share(facts);
  return hasLeast ? says.least(facts) : says.nothing;
}

export const pairs = extended('pairs', () => ({
  settings: (spreadBps: number, maxJumpBps: number, maxAgeSeconds: number) =>
    text.settings({ spread: percentText(spreadBps), jump: percentText(maxJumpBps), life: durationText(maxAgeSeconds) }),
  fees: {
    takes: feeText,
    fixed: (base: string) => text.fees.fixed({ currency: base || text.fees.payersCurrency }),
    minimum: (base: string) => text.fees.minimum({ currency: base || text.fees.payersCurrency }),
  },
}));
