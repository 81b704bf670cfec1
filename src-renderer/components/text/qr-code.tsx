import { useMemo } from 'react';
import { qrPath } from '../../../src-shared/receipts/qr-path.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import classes from './qr-code.module.css';

/**
 * A square code of `text`: black on white in light and dark, so that every camera reads it.
 * @param look a class that gives it another size.
 * @param label what it is for users of screen readers, when it is no address of an account.
 */
export function QrCode({ text, look, label }: { text: string; look?: string | undefined; label?: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text]);
  return (
    <svg
      className={[classes.qr, look].join(' ')}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label ?? messages.accounts.qrLabel({ address: text })}
    >
      <path d={path} />
    </svg>
  );
}
