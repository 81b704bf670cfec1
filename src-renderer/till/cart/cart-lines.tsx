import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { IconMinus, IconPlus, IconTrash } from '@tabler/icons-react';
import type { Asset } from '../../../src-shared/amounts.ts';
import { amountText, plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { billWords } from '../../../src-shared/words/sales/bill-text.ts';
import { taxRateText } from '../../../src-shared/words/sales/tax-rate-text.ts';
import { keepFocus } from '../../components/keypad/keep-focus.ts';
import type { TaxChoice } from '../../components/money/tax-choice.ts';
import { InertText } from '../../components/text/inert-text.tsx';
import { Money } from '../../components/text/money.tsx';
import classes from './cart.module.css';
import { type Cart, type CartLine, MOST_PIECES, withPieces, withTax } from './cart.ts';

const words = messages.till;

interface CartLinesProps {
  cart: Cart;
  onCart: (change: (cart: Cart) => Cart) => void;
  asset: Asset;
  choice: TaxChoice;
}

/** What lies in the cart, with more and less of each. It is nothing while the cart is empty. */
export function CartLines({ cart, onCart, asset, choice }: CartLinesProps) {
  if (cart.length === 0) return null;
  return (
    <div className={classes.cart}>
      <ul className={classes.lines} aria-label={words.cart}>
        {cart.map((line) => (
          <Line key={line.key} line={line} {...{ onCart, asset, choice }} />
        ))}
      </ul>
      <Button className={classes.empty} variant="subtle" size="compact-sm" color="gray" onClick={() => onCart(() => [])}>
        {words.emptyCart}
      </Button>
    </div>
  );
}

function Line({ line, onCart, asset: { assetCode, assetScale }, choice }: Omit<CartLinesProps, 'cart'> & { line: CartLine }) {
  const { key, text, unitPrice, pieces, productId } = line;
  const name = text === '' ? billWords.item : inertText(text);
  const money = (value: bigint) => amountText({ value, assetCode, assetScale });
  const set = (count: number) => onCart((cart) => withPieces(cart, key, count));
  return (
    <li className={classes.line}>
      <span className={classes.name}>
        {text === '' ? name : <InertText text={text} expands={false} />}
        {pieces > 1 && (
          <span className={classes.unit}>{billWords.times({ quantity: plainNumberText(`${pieces}`), price: money(unitPrice) })}</span>
        )}
        {productId === undefined && choice.rates.length > 1 && <LineTax {...{ line, name, onCart, choice }} />}
      </span>
      <span className={classes.pieces}>
        <ActionIcon
          variant="default"
          size={44}
          onPointerDown={keepFocus}
          aria-label={pieces === 1 ? words.removeLine({ name }) : words.oneLess({ name })}
          onClick={() => set(pieces - 1)}
        >
          {pieces === 1 ? <IconTrash size={18} aria-hidden /> : <IconMinus size={18} aria-hidden />}
        </ActionIcon>
        <span className={classes.count}>{plainNumberText(`${pieces}`)}</span>
        <ActionIcon
          variant="default"
          size={44}
          onPointerDown={keepFocus}
          aria-label={words.oneMore({ name })}
          disabled={pieces >= MOST_PIECES}
          onClick={() => set(pieces + 1)}
        >
          <IconPlus size={18} aria-hidden />
        </ActionIcon>
      </span>
      <span className={classes.amount}>
        <Money text={money(unitPrice * BigInt(pieces))} />
      </span>
    </li>
  );
}

/** The tax rate of an amount that was typed. That of a product stands with the product. */
function LineTax({
  line: { key, tax },
  name,
  onCart,
  choice: { rates },
}: Pick<CartLinesProps, 'onCart' | 'choice'> & { line: CartLine; name: string }) {
  const chosen = rates.find((rate) => rate.name === tax?.name && rate.rate === tax.rate);
  const choose = (id: string) => {
    const rate = rates.find((one) => one.id === id);
    onCart((cart) => withTax(cart, key, rate === undefined ? null : { name: rate.name, rate: rate.rate }));
  };
  return (
    <NativeSelect
      size="xs"
      aria-label={words.lineTax({ name })}
      value={chosen?.id ?? ''}
      data={[
        { value: '', label: words.noTax },
        ...rates.map((rate) => ({ value: rate.id, label: `${rate.name} ${taxRateText(rate.rate)}` })),
      ]}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}
