import { Button, Skeleton, Text } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { type CSSProperties, type KeyboardEvent, memo, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { dayAt } from '../../../src-shared/calendar.ts';
import type { Payment, PaymentFilter } from '../../../src-shared/operator-contract/payments/payments.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { yearDayText } from '../../../src-shared/words/date-text.ts';
import { shopDays } from '../../../src-shared/words/time-zone.ts';
import { PaymentLink } from '../../components/money/payment-row.tsx';
import { Card } from '../../components/page/card.tsx';
import { useNodeTime } from '../../transport/node-clock.ts';
import classes from './payment-list.module.css';
import { scrollToRow, useRowsInSight } from './rows-in-sight.ts';
import { type PaymentList as List, MOST_ROWS, PART, usePaymentList } from './use-payment-list.ts';

const words = messages.payments;

/** A row, drawn again only when it shows something new, not with each step of scrolling. */
const Row = memo(PaymentLink);

/** The height of a row, in pixels; the style sheet has the same. */
const ROW = 68;
/** The number of rows beyond both edges that are drawn, so that the next row is there when the focus moves on. */
const BEYOND = 10;

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

/**
 * Shows all payments that match, and draws and reads only those in sight. While the start of the list is in sight, new
 * payments appear. When the operator has scrolled down, the list stays still and counts what has arrived since.
 */
export function PaymentList({ filter, children }: { filter: PaymentFilter; children: (list: List) => React.ReactNode }) {
  const key = JSON.stringify(filter);
  const [still, setStill] = useState<{ key: string; place: string }>();
  const until = still?.key === key ? still.place : undefined;
  const [parts, setParts] = useState<readonly number[]>([0]);
  const list = usePaymentList({ filter, until, parts });
  const { place } = list;
  return (
    <>
      {children(list)}
      {list.first.data !== undefined && list.count > 0 && (
        <Card flush>
          <Rows
            key={key}
            list={list}
            onParts={setParts}
            onScrolled={(scrolled) => {
              if (!scrolled) setStill(undefined);
              else if (place !== null) setStill((before) => (before?.key === key ? before : { key, place }));
            }}
          />
        </Card>
      )}
      {list.count === MOST_ROWS && <Text c="dimmed">{words.tooMany({ rows: MOST_ROWS })}</Text>}
      {until !== undefined && <Arrived count={list.summary?.newer ?? 0} />}
    </>
  );
}

/** Says how many payments arrived while the operator was further down. */
function Arrived({ count }: { count: number }) {
  return (
    <div className={classes.arrived} role="status">
      {count > 0 && (
        <Button radius="xl" leftSection={<IconArrowUp size={18} aria-hidden />} onClick={() => window.scrollTo({ top: 0 })}>
          {words.arrived({ count })}
        </Button>
      )}
    </div>
  );
}

interface RowsProps {
  list: List;
  onParts: (parts: readonly number[]) => void;
  /** Whether the beginning of the list is out of sight. */
  onScrolled: (scrolled: boolean) => void;
}

function Rows({ list, onParts, onScrolled }: RowsProps) {
  const now = useNodeTime(60_000);
  const { ref, top } = useTop();
  const [focused, setFocused] = useState<number>();
  const { first, last } = useRowsInSight(list.count, ROW, top);
  const looked = partsOf(first, last, list.count).join();
  useEffect(() => onParts(looked.split(',').map(Number)), [looked, onParts]);
  const scrolled = first > 0 && list.place !== null;
  const tell = useEffectEvent(onScrolled);
  useEffect(() => tell(scrolled), [scrolled]);

  const move = (event: KeyboardEvent) => {
    if (focused === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const end = list.count - 1;
    const step = STEPS[event.key];
    const next =
      event.key === 'Home' ? 0 : event.key === 'End' ? end : step === undefined ? undefined : Math.min(Math.max(focused + step, 0), end);
    if (next === undefined) return;
    event.preventDefault();
    scrollToRow(next, ROW, top);
    setFocused(next);
    focusRow(ref.current, next);
  };
  return (
    <ul
      ref={ref}
      className={classes.list}
      data-old={list.isOld || undefined}
      aria-label={words.title}
      aria-busy={list.isOld}
      style={length('--list-height', list.count * ROW)}
      onKeyDown={move}
      onFocus={(event) => setFocused(numberOf(event.target))}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setFocused(undefined);
      }}
    >
      {drawnRows(first, last, list.count, focused).map((index) => {
        const payment = list.rowAt(index);
        return (
          <li
            key={index}
            className={classes.slot}
            data-row={index}
            aria-setsize={list.count}
            aria-posinset={index + 1}
            style={length('--row-top', index * ROW)}
          >
            {payment !== undefined && beginsDay(payment, list, index) && <DayHeading at={payment.createdAt} now={now} />}
            {payment === undefined ? <Coming /> : <Row payment={payment} now={now} />}
          </li>
        );
      })}
    </ul>
  );
}

/** Whether a row is the newest of its day. Nobody knows while the page reads the row above it. */
function beginsDay(payment: Payment, list: List, index: number): boolean {
  if (index === 0) return true;
  const above = list.rowAt(index - 1);
  return above !== undefined && dayOf(above.createdAt) !== dayOf(payment.createdAt);
}

const dayOf = (date: Date) => dayAt(date.getTime(), shopDays());

/**
 * The heading with the day of the shop of the rows below it. It stands on the line between two rows, and takes no
 * height.
 */
function DayHeading({ at, now }: { at: Date; now: Date }) {
  const day = dayOf(at);
  return <span className={classes.day}>{day === dayOf(now) ? messages.overview.today : yearDayText(day)}</span>;
}

/** A length for the style sheet, which leaves it out on paper. */
const length = (name: `--${string}`, pixels: number): CSSProperties => ({ [name]: `${pixels}px` });

/** The place where the list begins on the page, in pixels. It changes with the height of what stands above the list. */
function useTop() {
  const ref = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (ref.current !== null) setTop(ref.current.getBoundingClientRect().top + window.scrollY);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return { ref, top };
}

/**
 * The rows to draw. The one with the focus is among them wherever it is, so that the keyboard never loses its place.
 */
function drawnRows(first: number, last: number, count: number, focused: number | undefined): number[] {
  const from = Math.max(0, first - BEYOND);
  const to = Math.min(count - 1, last + BEYOND);
  const rows = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  if (focused === undefined || focused >= count || (focused >= from && focused <= to)) return rows;
  return focused < from ? [focused, ...rows] : [...rows, focused];
}

/** The parts in sight, and the next part on either side. */
function partsOf(from: number, to: number, count: number): number[] {
  const last = Math.max(0, Math.ceil(count / PART) - 1);
  const [first, end] = [Math.max(0, Math.floor((from - 2 * BEYOND) / PART)), Math.min(last, Math.floor((to + 2 * BEYOND) / PART))];
  return Array.from({ length: Math.max(1, end - first + 1) }, (_, index) => first + index);
}

const numberOf = (element: Element): number | undefined => {
  const row = element.closest('[data-row]')?.getAttribute('data-row');
  return row === null || row === undefined ? undefined : Number(row);
};

/** Moves the focus to a row, which may still have to be drawn and read. */
function focusRow(list: HTMLElement | null, row: number, tries = 30): void {
  const link = list?.querySelector<HTMLElement>(`[data-row="${row}"] a`);
  if (link) link.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusRow(list, row, tries - 1));
}

function Coming() {
  return (
    <div className={classes.coming} role="presentation">
      <Skeleton circle height={36} width={36} />
      <Skeleton height={14} width="40%" />
    </div>
  );
}
