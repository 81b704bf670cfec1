import type { CurrentRate, Rate } from '../../src-shared/operator-contract/exchange/rates.ts';
import { typedDecimal, typedPercentage } from '../../src-shared/typed-input/typed-decimal.ts';
import { plainNumberText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';

const words = messages.rates;

/** A rate as it is typed. */
export interface RateDraft {
  base: string;
  quote: string;
  rate: string;
  /** What the node keeps of the rate, in per cent. */
  spread: string;
  source: string;
  /** The life of the rate, in seconds. */
  life: string;
}

export const draftOf = (rate: CurrentRate | undefined): RateDraft =>
  rate === undefined
    ? { base: '', quote: '', rate: '', spread: '0', source: '', life: '86400' }
    : {
        base: rate.base,
        quote: rate.quote,
        rate: plainNumberText(rate.rate),
        spread: percentInputText(rate.spreadBps),
        source: rate.source,
        life: String(rate.maxAgeSeconds),
      };

/** Whether a text is a currency code. */
export const isCode = (text: string): boolean => CODE.test(text);

const CODE = /^[A-Z0-9]{2,12}$/;

const MOST_BPS = 9_999;

/** A percentage as a field holds it. @param bps in hundredths of a percent */
export const percentInputText = (bps: number): string => plainNumberText(String(bps / 100));

/** A typed percentage in hundredths of a percent; undefined when it is none. */
export function bpsOf(text: string): number | undefined {
  const bps = typedPercentage(text, 2);
  return bps !== undefined && bps <= MOST_BPS ? bps : undefined;
}

/** A typed rate as plain text; undefined when it is none. */
function plainRate(text: string): string | undefined {
  const decimal = typedDecimal(text);
  return decimal !== undefined && /[1-9]/.test(decimal) ? decimal : undefined;
}

/** What is wrong with a draft, by its fields. */
export function faultsOf(draft: RateDraft): Partial<Record<keyof RateDraft, string>> {
  const { base, quote } = draft;
  return {
    ...(!CODE.test(base) && { base: words.codeWrong }),
    ...(!CODE.test(quote) && { quote: words.codeWrong }),
    ...(CODE.test(base) && base === quote && { quote: words.sameCurrency }),
    ...(plainRate(draft.rate) === undefined && { rate: words.rateWrong }),
    ...(bpsOf(draft.spread) === undefined && { spread: words.spreadWrong }),
    ...(draft.source.trim() === '' && { source: words.sourceNeeded }),
  };
}

/** The rate that a draft describes, as of `now`; it is undefined when the draft has faults. */
export function rateOf(draft: RateDraft, now: Date): Rate | undefined {
  const { base, quote } = draft;
  const [rate, spreadBps] = [plainRate(draft.rate), bpsOf(draft.spread)];
  if (rate === undefined || spreadBps === undefined || Object.keys(faultsOf(draft)).length > 0) return undefined;
  return { base, quote, rate, spreadBps, source: draft.source.trim(), asOf: now, maxAgeSeconds: Number(draft.life) };
}
