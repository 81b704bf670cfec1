import { IconBackspace } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { digitsOf, PIN_DIGITS } from '../../../src-shared/people/pin-rules.ts';
import { plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { keepFocus } from '../keypad/keep-focus.ts';
import classes from './pin-pad.module.css';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const;

interface PinPadProps {
  label: string;
  /** Whether the node is looking at a PIN. */
  busy: boolean;
  /** Gets the six digits as soon as the last one is typed. */
  onPin: (pin: string) => void;
}

/** Six digits, typed on the screen or on a keyboard. Only this component holds them, and it forgets them at once. */
export function PinPad({ label, busy, onPin }: PinPadProps) {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A field that was switched off has lost the focus.
    if (!busy) input.current?.focus();
  }, [busy]);
  const take = (text: string) => {
    const digits = digitsOf(text).slice(0, PIN_DIGITS);
    setTyped(digits.length < PIN_DIGITS ? digits : '');
    if (digits.length === PIN_DIGITS && !busy) onPin(digits);
  };
  return (
    <div className={classes.pad}>
      <input
        ref={input}
        className={classes.typed}
        type="password"
        aria-label={label}
        // The keys are below: a telephone shows no keyboard of its own.
        inputMode="none"
        autoComplete="off"
        dir="ltr"
        value={busy ? '0'.repeat(PIN_DIGITS) : typed}
        onChange={(event) => take(event.currentTarget.value)}
        readOnly={busy}
        aria-busy={busy}
      />
      <div className={classes.keys} dir="ltr">
        {DIGITS.map((digit) => (
          <button
            key={digit}
            type="button"
            className={digit === '0' ? `${classes.key} ${classes.zero}` : classes.key}
            disabled={busy}
            onPointerDown={keepFocus}
            onClick={() => take(typed + digit)}
          >
            {plainNumberText(digit)}
          </button>
        ))}
        <button
          type="button"
          className={classes.key}
          aria-label={messages.ways.takeOver.erase}
          disabled={busy}
          onPointerDown={keepFocus}
          onClick={() => setTyped(typed.slice(0, -1))}
        >
          <IconBackspace size={28} aria-hidden />
        </button>
      </div>
    </div>
  );
}
