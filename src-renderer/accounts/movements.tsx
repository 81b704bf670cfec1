import {
  IconArrowBackUp,
  IconArrowDownLeft,
  IconArrowUpRight,
  IconBook2,
  IconLock,
  IconMinus,
  IconPlus,
  type TablerIcon,
} from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Account, Movement } from '../../src-shared/operator-contract/accounts.ts';
import { changeText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { PlainLink } from '../components/page/links.tsx';
import { LoadMore } from '../components/page/load-more.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { RowContent, Rows, RowsSkeleton, rowClass } from '../components/page/rows.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { RowMoney } from '../components/text/money.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import classes from './movements.module.css';

const words = messages.accounts;
const PAGE = 20;

const ICONS: Record<Movement['kind'], TablerIcon> = {
  deposit: IconPlus,
  withdrawal: IconMinus,
  received: IconArrowDownLeft,
  sent: IconArrowUpRight,
  reserved: IconLock,
  returned: IconArrowBackUp,
};

/** The account's book, newest line first. */
export function Movements({ account }: { account: Account }) {
  const now = useNodeTime(60_000);
  const list = useInfiniteQuery(
    queries.accounts.movements.infiniteOptions({
      input: (cursor: string | undefined) => ({ id: account.id, cursor, limit: PAGE }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
  );
  return (
    <Card title={words.movements} flush>
      <Loaded query={list} skeleton={<RowsSkeleton count={6} />}>
        {({ pages }) => {
          const movements = pages.flatMap(({ items }) => items);
          if (movements.length === 0) return <Empty icon={IconBook2} title={words.noMovements} advice={words.noMovementsAdvice} />;
          return (
            <>
              <Rows label={words.movements}>
                {movements.map((movement) => (
                  <li key={movement.id}>
                    <MovementRow movement={movement} account={account} now={now} />
                  </li>
                ))}
              </Rows>
              <LoadMore list={list} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function MovementRow({ movement, account, now }: { movement: Movement; account: Account; now: Date }) {
  const { kind, change, note, other, paymentId, at } = movement;
  const Icon = ICONS[kind];
  const hasNote = note !== null && note !== '';
  const content = (
    <RowContent
      icon={<Icon size={18} />}
      title={words.movementKinds[kind]}
      detail={
        (hasNote || other !== null) && (
          <>
            {other !== null && <InertText text={words.movementWith({ kind, name: other })} expands={false} length={60} />}
            {other !== null && hasNote && ' · '}
            {hasNote && <InertText text={note} expands={false} length={120} />}
          </>
        )
      }
      end={<RowMoney text={changeText({ ...account, value: change })} look={change > 0n ? classes.in : undefined} />}
      endDetail={<span className={classes.when}>{whenText(at, now)}</span>}
    />
  );
  if (paymentId === null) return <div className={rowClass}>{content}</div>;
  return (
    <PlainLink to="/payments/$id" params={{ id: paymentId }} className={rowClass}>
      {content}
    </PlainLink>
  );
}
