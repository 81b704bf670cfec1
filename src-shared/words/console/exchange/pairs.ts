import type { Fee } from '../../../operator-contract/exchange/pairs.ts';
import { durationText } from '../../duration-text.ts';

const percent = (bps: number): string => `${bps / 100} %`;

/** A fee in words, such as “0.30 USD and 1 % of what the payer pays, at least 0.50 USD”. */
function feeText(base: string, { fixed, shareBps, minimum }: Fee): string {
  const parts = [
    ...(/[1-9]/.test(fixed) ? [`${fixed} ${base}`] : []),
    ...(shareBps > 0 ? [`${percent(shareBps)} of what the payer pays`] : []),
  ];
  const least = /[1-9]/.test(minimum) ? `at least ${minimum} ${base}` : '';
  return [parts.join(' and '), least].filter((part) => part !== '').join(', ') || 'nothing';
}

const pair = (base: string, quote: string): string => `${base} → ${quote}`;

export const pairs = {
  title: 'Rates that follow the sources',
  lead: 'For these pairs your node takes the rate from the sources, and stops exchanging them when no source tells one that is recent enough.',
  none: 'No pair follows a source',
  noneAdvice: 'Let a pair follow the sources, so that nobody has to renew its rate by hand.',
  noSource: 'Add a source first.',
  follow: 'Follow the sources',
  followTitle: 'Let a pair follow the sources',
  changeTitle: (base: string, quote: string) => `How ${pair(base, quote)} follows the sources`,
  rate: (base: string, rate: string, quote: string) => `1 ${base} = ${rate} ${quote}`,
  by: (source: string, when: string) => `By ${source}, from ${when}`,
  noRate: 'No source has told a rate yet.',
  settings: (spreadBps: number, maxJumpBps: number, maxAgeSeconds: number) =>
    `You keep ${percent(spreadBps)}. Largest jump ${percent(maxJumpBps)}. It counts for ${durationText(maxAgeSeconds)}.`,
  fallsBack: 'Without a recent rate, the one you set by hand counts.',
  stops: 'Without a recent rate, nothing is exchanged.',
  counts: {
    followed: 'In use',
    by_hand: 'By hand meanwhile',
    no_rate: 'Not exchanged',
    rate_stale: 'Too old, not exchanged',
  },
  jump: 'Largest believed jump',
  jumpHint: 'In per cent of the rate before. A rate that is further away waits for you.',
  jumpWrong: 'Enter a percentage from 0.01 to 99.99 with at most two decimal places.',
  life: 'It counts for',
  lifeHint: 'From the moment that the source names. The European Central Bank tells nothing at weekends and on holidays.',
  lives: { 3600: 'One hour', 86400: 'One day', 432000: 'Five days', 604800: 'One week' },
  handLabel: 'Without a recent rate, use the one I set by hand',
  consequence: 'As soon as you save, payments are exchanged by what the sources say, out of your money.',
  save: 'Save and follow',
  saved: (base: string, quote: string) => `${pair(base, quote)} follows the sources.`,
  change: 'Change',
  changeOf: (base: string, quote: string) => `Change how ${pair(base, quote)} follows the sources`,
  stop: 'Stop following',
  stopOf: (base: string, quote: string) => `Stop following the sources for ${pair(base, quote)}`,
  stopTitle: (base: string, quote: string) => `Stop following the sources for ${pair(base, quote)}?`,
  stopWords: 'From now on the rate that you set by hand counts. If there is none, payments between the two are refused.',
  stopped: (base: string, quote: string) => `${pair(base, quote)} does not follow the sources any more.`,
  jumped: (source: string, rate: string) => `${source} says ${rate}. That is further from the rate before than you let your node believe.`,
  confirm: 'Use this rate',
  confirmTitle: (base: string, quote: string) => `Use the new rate of ${pair(base, quote)}?`,
  confirmWords: (before: string, after: string) =>
    `The rate in use is ${before}, and the source says ${after}. Compare it with another place before you confirm: payments are exchanged by it at once, out of your money.`,
  confirmed: (base: string, quote: string) => `The new rate of ${pair(base, quote)} is in use.`,
  fees: {
    title: 'Fees for exchanging',
    lead: 'A fee is taken from what a payer with an account here pays, before the rest is exchanged. Prices show it as a part of what is paid. Packets of peers pay no fee, only what you keep of the rate.',
    none: 'No fees',
    noneAdvice: 'Payers pay the rate and what you keep of it, and nothing more.',
    add: 'Set a fee',
    addTitle: 'Set a fee',
    changeTitle: (base: string, quote: string) => `The fee of ${pair(base, quote)}`,
    takes: (base: string, fee: Fee) => `Your node takes ${feeText(base, fee)}.`,
    fixed: (base: string) => `Fixed, in ${base || 'the payer’s currency'}`,
    share: 'Share',
    shareHint: 'In per cent of what the payer pays',
    minimum: (base: string) => `At least, in ${base || 'the payer’s currency'}`,
    amountWrong: 'Enter an amount such as 0.30, or 0.',
    save: 'Save fee',
    saved: (base: string, quote: string) => `The fee of ${pair(base, quote)} is saved.`,
    change: 'Change',
    changeOf: (base: string, quote: string) => `Change the fee of ${pair(base, quote)}`,
    remove: 'Remove',
    removeOf: (base: string, quote: string) => `Remove the fee of ${pair(base, quote)}`,
    removeTitle: (base: string, quote: string) => `Remove the fee of ${pair(base, quote)}?`,
    removeWords: 'New prices are made without it at once. Prices that were promised stay as they are.',
    removed: (base: string, quote: string) => `The fee of ${pair(base, quote)} is removed.`,
  },
} as const;
