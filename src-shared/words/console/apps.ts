import type { AppTrust, Tier } from '../../operator-contract/apps.ts';
import { area, extended } from '../language/language.ts';

const text = area('apps');
const MB = 1024 * 1024;

/** What each limit of a tier allows, beginning with those that an app meets first. */
function limitTexts(limits: AppTrust['limits'][Tier]): string[] {
  const { limitTexts: says, noLimit } = text.trust;
  const texts: [number | null, (facts: { readonly most: number }) => string][] = [
    [limits.requestsPerSecond, says.requestsPerSecond],
    [limits.failuresPerSecond, says.failuresPerSecond],
    [limits.outboundPerSecond, says.outboundPerSecond],
    [limits.bytesPerHour === null ? null : limits.bytesPerHour / MB, says.bytesPerHour],
    [limits.rows, says.rows],
    [limits.processorPerSecond === null ? null : limits.processorPerSecond / 10, says.processorPerSecond],
  ];
  const limited = texts.flatMap(([most, say]) => (most === null ? [] : [say({ most })]));
  return limited.length === 0 ? [noLimit] : limited;
}

const isTier = (tier: string): tier is Tier => tier in text.trust.tiers;

export const apps = extended('apps', () => ({
  stages: { ended: { noEnd: null }, refused: { noEnd: null } },
  trust: {
    usual: (tier: Tier) => text.trust.usual({ tier: text.trust.tiers[tier] }),
    limits: limitTexts,
    told: (tier = ''): string => (isTier(tier) ? text.trust.tiers[tier] : text.trust.usualPlain),
  },
}));
