import { Button, TextInput } from '@mantine/core';
import { IconBackspace } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { PayableAccount } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { readTypedNumber } from '../../src-shared/typed-input/typed-amount.ts';
import { amountText, plainNumberText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { InertText } from '../components/text/inert-text.tsx';
import { type Key, keyOf, pressed, typedParts, typedValue } from './keypad.ts';
import { SalesToday } from './sales-today.tsx';
import { prepareSound } from './signals.ts';
import classes from './till.module.css';
import { keepDraft } from './till-memory.ts';

const words = messages.till;

/** Where an amount is typed and charged. However often one amount is charged, it makes one sale. */
export function Counter({ account, onChange }: { account: PayableAccount; onChange: (() => void) | undefined }) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState('');
  const [description, setDescription] = useState('');
  const navigate = useNavigate();
  const amount = typedValue(typed, account);
  const press = (key: Key) => setTyped((text) => pressed(text, key, account));
  const charge = () => {
    if (amount === 0n) return;
    prepareSound();
    keepDraft({ requestId, accountId: account.id, amount, description: description.trim() || undefined });
    // The sale is in the address before the node is asked, so that a reload at any moment finds it again.
    void navigate({ to: '/till', search: { sale: requestId } });
  };
  useKeyboard(press, charge);
  const text = amountText({ ...account, value: amount });
  return (
    <div className={classes.counter}>
      <section className={classes.desk} aria-label={words.keypad}>
        <div className={classes.into}>
          <InertText text={words.into({ account: account.publicName })} expands={false} />
          {onChange !== undefined && (
            <Button variant="subtle" size="compact-sm" onClick={onChange}>
              {words.change}
            </Button>
          )}
        </div>
        <Typed text={text} parts={typedParts(text, typed, account)} />
        <Keys scale={account.assetScale} onKey={press} />
        <TextInput
          aria-label={words.purpose}
          placeholder={words.purpose}
          description={words.purposeHint}
          inputWrapperOrder={['input', 'description']}
          size="md"
          value={description}
          maxLength={500}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <Button className={classes.charge} onClick={charge} disabled={amount === 0n}>
          {amount === 0n ? words.chargeNothing : words.charge({ amount: text })}
        </Button>
      </section>
      <SalesToday />
    </div>
  );
}

function Typed({ text, parts: [typed, still, rest] }: { text: string; parts: [string, string, string] }) {
  const room: CSSProperties & Record<'--characters', number> = { '--characters': text.length };
  return (
    <div className={classes.typed} role="status" aria-live="polite">
      <bdi style={room} data-testid="typed-amount">
        {typed}
        <span className={classes.still}>{still}</span>
        {rest}
      </bdi>
    </div>
  );
}

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** The keys, as on a telephone in every language. A currency without decimal places has no decimal point. */
function Keys({ scale, onKey }: { scale: number; onKey: (key: Key) => void }) {
  const [, point = '.'] = /^\P{Nd}*\p{Nd}(.)/u.exec(plainNumberText('1.5')) ?? [];
  const key = (one: Key, face: ReactNode, label?: string) => (
    <button
      key={one}
      type="button"
      className={classes.key}
      aria-label={label}
      // A touched key does not take the focus, so that Enter on a keyboard charges and does not press the key again.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onKey(one)}
    >
      {face}
    </button>
  );
  return (
    <div className={classes.keys} dir="ltr">
      {DIGITS.map((digit) => key(digit, plainNumberText(digit)))}
      {scale === 0 ? key('00', plainNumberText('0').repeat(2), words.doubleZero) : key('point', point, words.point)}
      {key('0', plainNumberText('0'))}
      {key('back', <IconBackspace size={28} aria-hidden />, words.deleteLast)}
    </div>
  );
}

const digitOf = (text: string): string | undefined => {
  const read = readTypedNumber(text);
  return read.kind === 'value' ? read.value : undefined;
};

/** Types with a keyboard, wherever the focus is except in a field. Enter charges, unless a button has the focus. */
function useKeyboard(press: (key: Key) => void, charge: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
    const inField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (key === 'Enter' && !event.repeat && (inField || !target.matches('button, a'))) return charge();
    const typed = inField ? undefined : keyOf(key, digitOf);
    if (typed === undefined) return;
    event.preventDefault();
    press(typed);
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
