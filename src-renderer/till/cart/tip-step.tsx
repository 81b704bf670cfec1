import { Button, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type FormEvent, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Asset, MAX_MOVED } from '../../../src-shared/amounts.ts';
import { typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { taxRateText } from '../../../src-shared/words/sales/tax-rate-text.ts';
import { AmountInput } from '../../components/forms/amount-input.tsx';
import classes from './cart.module.css';
import { tipOf } from './cart.ts';
import { NotTaken } from './not-taken.tsx';

const words = messages.till;

interface TipStepProps {
  asset: Asset;
  /** What is bought, with its tax, in smallest units. */
  amount: bigint;
  /** The tips that the till offers, in whole percent. */
  percents: readonly number[];
  /** @param tip in smallest units. */
  onTip: (tip: bigint) => void;
  onBack: () => void;
}

/** The second click of a double click on what stood here before chooses nothing. */
const once = (act: () => void) => (event: MouseEvent) => {
  if (event.detail <= 1) act();
};

/** The customer chooses a tip. */
export function TipStep({ asset: { assetCode, assetScale }, amount, percents, onTip, onBack }: TipStepProps) {
  const [isTyping, setTyping] = useState(false);
  const [scans, setScans] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const money = (value: bigint) => amountText({ value, assetCode, assetScale });
  // Enter that is still held down from before presses nothing.
  useEffect(() => heading.current?.focus(), []);
  const onEscape = useEffectEvent((event: KeyboardEvent) => event.key === 'Escape' && onBack());
  useEffect(() => {
    const listener = (event: KeyboardEvent) => void onEscape(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return (
    <Stack gap="md" className={classes.tip}>
      <Title order={2} ref={heading} tabIndex={-1} className={classes.question}>
        {words.tip.title}
      </Title>
      <Text c="dimmed" size="lg">
        {words.tip.purchase({ amount: money(amount) })}
      </Text>
      <NotTaken onScan={() => setScans(scans + 1)} />
      <div className={classes.percents}>
        {percents.map((percent) => (
          <Button key={percent} variant="default" className={classes.percent} onClick={once(() => onTip(tipOf(amount, percent)))}>
            <span className={classes.share}>{taxRateText(percent * 1_000)}</span>
            <bdi>{money(tipOf(amount, percent))}</bdi>
          </Button>
        ))}
      </div>
      {isTyping ? (
        // What a scanner has typed does not stay in the field.
        <TypedTip key={scans} asset={{ assetCode, assetScale }} amount={amount} onTip={onTip} />
      ) : (
        <Button variant="default" size="lg" onClick={once(() => setTyping(true))}>
          {words.tip.other}
        </Button>
      )}
      <Button variant="default" size="lg" onClick={once(() => onTip(0n))}>
        {words.tip.none}
      </Button>
      <Button variant="subtle" color="gray" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={onBack}>
        {words.tip.back}
      </Button>
    </Stack>
  );
}

function TypedTip({ asset, amount, onTip }: Pick<TipStepProps, 'asset' | 'amount' | 'onTip'>) {
  const [text, setText] = useState('');
  const tip = text.trim() === '' ? undefined : typedAmount(text, asset);
  const isGood = tip !== undefined && tip > 0n && amount + tip <= MAX_MOVED;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isGood) onTip(tip);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <AmountInput label={words.tip.amount} asset={asset} value={text} onChange={setText} size="lg" autoFocus />
        <Button type="submit" size="lg" disabled={!isGood}>
          {words.tip.pay({ amount: amountText({ ...asset, value: amount + (isGood ? tip : 0n) }) })}
        </Button>
      </Stack>
    </form>
  );
}
