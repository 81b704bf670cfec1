import type { ActivityEntry } from '../../operator-contract/activity.ts';
import { isRole } from '../../people/roles.ts';
import { amountText, plainNumberText } from '../amount-text.ts';
import { area, extended } from '../language/language.ts';
import { zoneText } from '../time-zone.ts';
import type { Words } from '../words.ts';
import { apps } from './apps.ts';
import { people } from './people/people.ts';

const text = area('activity');

type Told = Pick<ActivityEntry, 'facts' | 'account' | 'subject'>;

/**
 * An amount among the facts. It is in the currency that the facts name, or else in the account's. An amount that cannot
 * be read is shown unchanged.
 */
function amount({ facts, account }: Told, name: string): string {
  const written = facts[name] ?? '';
  const assetCode = facts.assetCode ?? account?.assetCode;
  const assetScale = Number(facts.assetScale ?? account?.assetScale);
  if (!/^-?\d+$/.test(written) || assetCode === undefined || !Number.isInteger(assetScale)) return written;
  return amountText({ value: BigInt(written), assetCode, assetScale });
}

/** What waits, or waited, for a second person. */
const waitingText = (told: Told): string =>
  people.actText({
    operation: told.facts.asked ?? '',
    amount: told.facts.amount === undefined ? undefined : amount(told, 'amount'),
    // The setting names its currency where others have a person.
    currency: told.facts.whom,
    whom: told.facts.whom ?? '',
    what: told.facts.what === 'approvals' ? 'approvals' : 'money',
  });

/** Every fact that a sentence about an act may use. */
function factsOf(told: Told) {
  const { facts, account, subject } = told;
  return {
    account: account?.name ?? text.anAccount,
    amount: amount(told, 'amount'),
    received: amount(told, 'received'),
    perDay: amount(told, 'perDay'),
    what: waitingText(told),
    assetCode: facts.assetCode ?? '',
    creditLimit: amount(told, 'creditLimit'),
    client: facts.client ?? text.anApp,
    // An owner may have no name.
    name: facts.name === '' ? people.unnamed : (facts.name ?? text.aPeer),
    role: isRole(facts.role) ? people.roles[facts.role] : (facts.role ?? ''),
    label: facts.label ?? '',
    way: facts.way ?? '',
    file: facts.file ?? '',
    rate: plainNumberText(facts.rate ?? ''),
    tier: apps.trust.told(facts.tier),
    zone: zoneText(facts.timeZone ?? ''),
    subject,
    hours: Number(facts.everyHours),
    minutes: Number(facts.minutes),
    outcome: facts.outcome ?? '',
    isPaid: facts.direction === 'paid',
    isOn: facts.isOn === 'true',
  };
}

type Sentence = string | ((facts: ReturnType<typeof factsOf>) => Words | string);

/** What the operator did, in a sentence. An operation that this version does not know is told by its name. */
function did(operation: string, told: Told): Words {
  const sentences: Readonly<Record<string, Sentence>> = text.did;
  const sentence = sentences[operation.replaceAll('.', '_')];
  if (sentence === undefined) return [operation];
  const facts = factsOf(told);
  // An account that has just been opened may have no name of its own in the books of that moment.
  const known = operation === 'accounts.create' ? { ...facts, account: told.account?.name ?? told.facts.name ?? '' } : facts;
  const words = typeof sentence === 'string' ? sentence : sentence(known);
  return typeof words === 'string' ? [words] : words;
}

export const activity = extended('activity', () => ({ did, isKnown: (operation: string) => operation.replaceAll('.', '_') in text.did }));
