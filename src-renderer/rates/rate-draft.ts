import type { CurrentRate, Rate } from '../../src-shared/operator-contract/rates.ts';
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

const CODE = /^[A-Z0-9]{2,12}$/;
const RATE = /^(?=.*[1-9])(0|[1-9]\d{0,17})(\.\d{1,18})?$/;

/** Reads a draft. @param now the node's time, which a rate that is saved now is from */
export function readDraft(draft: RateDraft, now: Date): { faults: Partial<Record<keyof RateDraft, string>>; rate: Rate | undefined } {
  const { base, quote } = draft;
  const spread = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(draft.spread.trim());
  const faults = {
    ...(!CODE.test(base) && { base: words.codeWrong }),
    ...(!CODE.test(quote) && { quote: words.codeWrong }),
    ...(CODE.test(base) && base === quote && { quote: words.sameCurrency }),
    ...(!RATE.test(draft.rate.trim()) && { rate: words.rateWrong }),
    ...(spread === null && { spread: words.spreadWrong }),
    ...(draft.source.trim() === '' && { source: words.sourceNeeded }),
  };
  if (Object.keys(faults).length > 0 || spread === null) return { faults, rate: undefined };
  const spreadBps = Number(spread[1]) * 100 + Number((spread[2] ?? '').padEnd(2, '0'));
  return {
    faults,
    rate: { base, quote, rate: draft.rate.trim(), spreadBps, source: draft.source.trim(), asOf: now, maxAgeSeconds: Number(draft.life) },
  };
}
