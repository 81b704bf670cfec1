import type { CSSProperties } from 'react';
import { lengthOf, moneyParts } from '../../../src-shared/words/amount-text.ts';
import classes from './money.module.css';

/**
 * An amount as text. It never breaks within its number, at most before its currency.
 * @param fits makes the amount a line of its own, which is written smaller where its number would not fit.
 */
export function Money({ text, fits = false }: { text: string; fits?: boolean }) {
  const parts = moneyParts(text);
  const longest = Math.max(...parts.map(lengthOf));
  const pieces = (
    <bdi>
      {parts.flatMap((part, index) => [
        ...(index === 0 ? [] : [' ']),
        <span key={part} className={classes.part}>
          {part}
        </span>,
      ])}
    </bdi>
  );
  if (!fits) return pieces;
  const room: CSSProperties & Record<'--characters', number> = { '--characters': longest };
  return (
    <span className={classes.fits}>
      <span style={room}>{pieces}</span>
    </span>
  );
}

/** A row of a list writes amounts of more characters than this smaller. */
const LONG = 18;

/** An amount at the end of a row of a list. */
export const RowMoney = ({ text, look }: { text: string; look?: string | undefined }) => (
  <span className={[classes.row, look].join(' ')} data-long={lengthOf(text) > LONG || undefined}>
    <Money text={text} />
  </span>
);
