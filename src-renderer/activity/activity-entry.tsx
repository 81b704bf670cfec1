import {
  IconAffiliate,
  IconArrowsExchange,
  IconArrowsLeftRight,
  IconCash,
  IconDatabaseExport,
  IconFileDownload,
  IconLogin2,
  IconSettings,
  IconShieldCheck,
  IconWallet,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ActivityKind } from '../../src-shared/activity-kinds.ts';
import type { ActivityEntry } from '../../src-shared/operator-contract/activity.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { PlainLink } from '../components/page/links.tsx';
import { rowClass, rowIconClass } from '../components/page/rows.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { Sentence } from '../components/text/sentence.tsx';
import { useStateCell } from '../transport/state-cell.ts';
import { you } from '../transport/you.ts';
import classes from './activity.module.css';

const words = messages.activity;
const { people } = messages;
/** Who works alone has this id and no name. */
const FIRST_OWNER = 'owner';

const ICONS: Readonly<Record<ActivityKind, TablerIcon>> = {
  access: IconShieldCheck,
  money: IconCash,
  payments: IconArrowsLeftRight,
  accounts: IconWallet,
  peers: IconAffiliate,
  rates: IconArrowsExchange,
  backups: IconDatabaseExport,
  exports: IconFileDownload,
  sign_ins: IconLogin2,
  settings: IconSettings,
};

/** Shows one act of the operator, with a link to what it changed. */
export function ActivityLine({ entry, now }: { entry: ActivityEntry; now: Date }) {
  const Icon = ICONS[entry.kind];
  const { note } = entry.facts;
  return (
    <Way entry={entry}>
      <span className={rowIconClass} aria-hidden>
        <Icon size={20} stroke={1.7} />
      </span>
      <span className={classes.what}>
        <Sentence words={words.did(entry.operation, entry)} expands={false} />
        <span className={classes.detail}>
          {words.kinds[entry.kind]}
          <By entry={entry} />
          <From facts={entry.facts} />
          {note !== undefined && note !== '' && (
            <>
              {' · '}
              <InertText text={words.note({ text: note })} expands={false} />
            </>
          )}
        </span>
      </span>
      <span className={classes.when}>
        {whenText(entry.at, now)}
        <span className={classes.detail}>{words.entry({ number: entry.number })}</span>
      </span>
    </Way>
  );
}

/** Who did it, where that says something: who works alone knows it. */
function By({ entry: { by } }: { entry: ActivityEntry }) {
  const own = useStateCell(you)?.person?.id;
  if (by === null) return null;
  const isYou = by.kind === 'person' && by.id === own;
  if (isYou && by.id === FIRST_OWNER && by.name === '') return null;
  return (
    <>
      {' · '}
      <bdi>{isYou ? people.byYou : doerText(by)}</bdi>
    </>
  );
}

/** The browser or the app in which a person did it, as they see it among their sessions. */
function From({ facts: { browser, system, device } }: Pick<ActivityEntry, 'facts'>) {
  if (browser === undefined && system === undefined && device === undefined) return null;
  return (
    <>
      {' · '}
      <bdi>{device === undefined ? messages.lock.browsers.name({ browser, system }) : words.inDesktop}</bdi>
    </>
  );
}

function doerText({ kind, name, role }: NonNullable<ActivityEntry['by']>): string {
  if (kind === 'script') return people.byScript;
  const facts = { name: inertText(name === '' ? people.unnamed : name), role: people.roles[role] };
  if (kind === 'till') return messages.tills.by(facts);
  return kind === 'key' ? people.byKey(facts) : people.byPerson(facts);
}

/** A thing that was denied or removed has no page any more. */
const GONE = new Set(['approvals.deny', 'peers.remove', 'waiting.ask', 'waiting.confirm', 'waiting.refuse', 'waiting.withdraw']);

function Way({ entry, children }: { entry: ActivityEntry; children: ReactNode }) {
  const { kind, operation, subject, account } = entry;
  if (GONE.has(operation))
    return (
      <div className={rowClass} data-stacks>
        {children}
      </div>
    );
  if (kind === 'payments')
    return (
      <PlainLink to="/payments/$id" params={{ id: subject }} className={rowClass} data-stacks>
        {children}
      </PlainLink>
    );
  if (kind === 'access')
    return (
      <PlainLink to="/apps/$grantId" params={{ grantId: subject }} className={rowClass} data-stacks>
        {children}
      </PlainLink>
    );
  if (operation.startsWith('peers.'))
    return (
      <PlainLink to="/peers/$id" params={{ id: subject }} className={rowClass} data-stacks>
        {children}
      </PlainLink>
    );
  if (account !== null)
    return (
      <PlainLink to="/accounts/$id" params={{ id: account.id }} className={rowClass} data-stacks>
        {children}
      </PlainLink>
    );
  return (
    <div className={rowClass} data-stacks>
      {children}
    </div>
  );
}
