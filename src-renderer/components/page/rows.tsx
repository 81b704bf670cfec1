import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './rows.module.css';

/** The class of a row, for the link or element that is one. */
export const rowClass: string | undefined = classes.row;

/** The class of the icon at the start of a row with content of its own. */
export const rowIconClass: string | undefined = classes.icon;

/** A list with fewer rows has no search. */
export const MANY_ROWS = 10;

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowContentProps {
  icon: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  end: ReactNode;
  endDetail: ReactNode;
  /** Whether `end` goes below a title that leaves it no room, as buttons do. */
  wraps?: boolean;
}

/** One entry of a list in two lines: what it is and where it belongs, its amount and its state. */
export function RowContent({ icon, title, detail, end, endDetail, wraps }: RowContentProps) {
  return (
    <>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <span className={classes.lines}>
        <span className={classes.line} data-wraps={wraps || undefined}>
          <span className={classes.title}>{title}</span>
          <span className={classes.amount}>{end}</span>
        </span>
        <span className={classes.line}>
          <span className={classes.detail}>{detail}</span>
          <span className={classes.state}>{endDetail}</span>
        </span>
      </span>
    </>
  );
}

/** Stands for rows that are being read, in the size of real rows. */
export function RowsSkeleton({ count }: { count: number }) {
  return (
    <div className={classes.rows}>
      {Array.from({ length: count }, (_, index) => `${index}`).map((key) => (
        <div key={key} className={classes.row}>
          <Skeleton circle height={36} width={36} />
          <span className={classes.lines}>
            <span className={classes.line}>
              <Skeleton height={14} width="45%" my={5} />
              <Skeleton height={14} width={84} my={5} />
            </span>
            <span className={classes.line}>
              <Skeleton height={11} width="30%" my={4} />
              <Skeleton height={11} width={64} my={4} />
            </span>
          </span>
        </div>
      ))}
    </div>
  );
}
