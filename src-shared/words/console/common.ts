import type { Asset } from '../../amounts.ts';
import { plainNumberText } from '../amount-text.ts';
import { area, extended } from '../language/language.ts';
import { shellWord } from '../words.ts';

const input = area('amountInput');
const text = area('common');

export const common = extended('common', () => ({
  /** The link back to a section. */
  back: (section: keyof typeof text.backTo) => text.backTo[section],
  amount: {
    invalid: ({ assetCode, assetScale }: Asset) =>
      assetScale === 0
        ? input.invalidWhole({ currency: assetCode, example: plainNumberText('100') })
        : input.invalid({ example: plainNumberText((100).toFixed(Math.min(assetScale, 2))), currency: assetCode, places: assetScale }),
    ambiguous: ([whole = '', decimal]: readonly string[]) =>
      decimal === undefined ? input.ambiguousWhole({ whole }) : input.ambiguous({ whole, decimal }),
  },
  session: {
    command: (folder: string) => `npm run console-link -- --data-dir ${shellWord(folder)}`,
  },
}));
