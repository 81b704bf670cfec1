import type { CurrentRate, Rate } from '../../src-shared/operator-contract/exchange/rates.ts';
import { messages } from '../../src-shared/words/console/messages.ts';

const words = messages.rates;

/** A rate as it is typed. */
export interface RateDraft {
  base: string;
  quote: string;
  rate: string;
  /** In per cent. */
  spread: string;
  source: string;
  /** In seconds. */
  life: string;
}

export const draftOf = (rate: CurrentRate | undefined): RateDraft =>
  rate === undefined
    ? { base: '', quote: '', rate: '', spread: '0', source: '', life: '86400' }
    : {
        base: rate.base,
        quote: rate.quote,
        rate: rate.rate,
        spread: `${rate.spreadBps / 100}`,
        source: rate.source,
        life: String(rate.maxAgeSeconds),
      };

/** Whether a text is a currency code. */
export const isCode = (text: string): boolean => CODE.test(text);

const CODE = /^[A-Z0-9]{2,12}$/;
const RATE = /^(?=.*[1-9])(0|[1-9]\d{0,17})(\.\d{1,18})?$/;

const SPREAD = /^(\d{1,2})(?:\.(\d{1,2}))?$/;

/** A typed percentage in hundredths of a percent; undefined when it is none. */
export function bpsOf(text: string): number | undefined {
  const [, whole, part = ''] = SPREAD.exec(text.trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** What is wrong with a draft, by its fields. */
export function faultsOf(draft: RateDraft): Partial<Record<keyof RateDraft, string>> {
  const { base, quote } = draft;
  return {
    ...(!CODE.test(base) && { base: words.codeWrong }),
    ...(!CODE.test(quote) && { quote: words.codeWrong }),
    ...(CODE.test(base) && base === quote && { quote: words.sameCurrency }),
    ...(!RATE.test(draft.rate.trim()) && { rate: words.rateWrong }),
    ...(bpsOf(draft.spread) === undefined && { spread: words.spreadWrong }),
    ...(draft.source.trim() === '' && { source: words.sourceNeeded }),
  };
}

/** The rate that a draft describes, as of `now`; it is undefined when the draft has faults. */
export function rateOf(draft: RateDraft, now: Date): Rate | undefined {
  const { base, quote } = draft;
  const spreadBps = bpsOf(draft.spread);
  if (spreadBps === undefined || Object.keys(faultsOf(draft)).length > 0) return undefined;
  return { base, quote, rate: draft.rate.trim(), spreadBps, source: draft.source.trim(), asOf: now, maxAgeSeconds: Number(draft.life) };
}
