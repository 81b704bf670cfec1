import { ActionIcon, Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { IconBackspace, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { sameAsset } from '../../src-shared/amounts.ts';
import type { PayableAccount } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import type { Product } from '../../src-shared/operator-contract/shop/products.ts';
import { amountText, plainNumberText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { keepFocus } from '../components/keypad/keep-focus.ts';
import { useTaxChoice } from '../components/money/tax-choice.ts';
import { prepareSound } from '../components/notices/tones.ts';
import { InertText } from '../components/text/inert-text.tsx';
import { useStateCell } from '../transport/state-cell.ts';
import { type Charge, chargeOf, withAmount, withProduct } from './cart/cart.ts';
import { CartLines } from './cart/cart-lines.tsx';
import { ProductTiles, useTiles } from './cart/product-tiles.tsx';
import { Refused } from './cart/refused.tsx';
import { type Notes, SaleNotes } from './cart/sale-notes.tsx';
import { TipStep } from './cart/tip-step.tsx';
import { type Refusal, useCodes } from './cart/use-codes.ts';
import { useKeys } from './cart/use-keys.ts';
import { takeAhead } from './cart/use-scans.ts';
import { cartSeen } from './customer/cart-seen.ts';
import { customerReads, useCustomerSees, watchSale } from './customer/customer-sees.ts';
import { type Key, pressed, typedParts, typedValue } from './keypad.ts';
import { SalesToday } from './sales-today.tsx';
import classes from './till.module.css';
import { keepDraft, swapped } from './till-memory.ts';
import { useCart } from './use-cart.ts';

const words = messages.till;

interface CounterProps {
  account: PayableAccount;
  /** The tips that the till offers, in percent; null for none. */
  tipPercents: readonly number[] | null;
  onChange: (() => void) | undefined;
}

/**
 * The counter, at which a person puts a sale together and charges it. However often one sale is charged, it is made
 * once.
 */
export function Counter({ account, tipPercents, onChange }: CounterProps) {
  const sale = useCounter(account, tipPercents);
  const tiles = useTiles(account);
  const isSwapped = useStateCell(swapped);
  const [view, setView] = useState<'keypad' | 'products'>('keypad');
  const { typed, charge, asked } = sale;
  if (asked !== undefined && tipPercents !== null)
    return <TipStep asset={account} amount={asked.amount} percents={tipPercents} onTip={sale.send} onBack={sale.back} />;
  if (tiles.isPending) return <Skeleton height={420} />;
  const hasProducts = (tiles.data?.items.length ?? 0) > 0;
  const text = amountText({ ...account, value: sale.amount });
  return (
    <div
      className={classes.counter}
      data-products={hasProducts || undefined}
      data-view={hasProducts ? view : 'keypad'}
      data-swapped={isSwapped || undefined}
    >
      {hasProducts && (
        <SegmentedControl
          className={classes.views}
          aria-label={words.view}
          size="md"
          fullWidth
          value={view}
          onChange={(chosen) => setView(chosen === 'products' ? 'products' : 'keypad')}
          data={[
            { value: 'keypad', label: words.keypad },
            { value: 'products', label: words.products },
          ]}
        />
      )}
      {hasProducts && (
        <div className={classes.tiles}>
          <ProductTiles asset={account} onProduct={sale.take} onCode={(code) => sale.scan({ code, before: typed })} />
        </div>
      )}
      <section className={classes.desk} aria-label={words.keypad}>
        <Into account={account} onChange={onChange} />
        <CartLines cart={sale.cart} onCart={sale.setCart} asset={account} choice={sale.choice} />
        <Refused {...sale.refused} asset={account} />
        <div className={classes.pad}>
          <Typed text={text} parts={typedParts(text, typed, account)} />
          <Keys scale={account.assetScale} onKey={sale.press} />
        </div>
        <SaleNotes notes={sale.notes} onNotes={sale.setNotes} />
        <Foot account={account} charge={charge} addsTax={!sale.choice.pricesIncludeTax} isTooMuch={sale.isTooMuch}>
          <ActionIcon
            className={classes.plus}
            variant="default"
            aria-label={words.addLine}
            title={words.addLine}
            disabled={sale.amount === 0n}
            onPointerDown={keepFocus}
            onClick={sale.add}
          >
            <IconPlus size={24} aria-hidden />
          </ActionIcon>
          <Button className={classes.charge} onClick={sale.ask} disabled={charge === undefined || sale.refused.isLooking}>
            {charge === undefined ? words.chargeNothing : words.charge({ amount: amountText({ ...account, value: charge.amount }) })}
          </Button>
        </Foot>
      </section>
      <SalesToday />
    </div>
  );
}

/** The state of the counter until a sale is charged. */
function useCounter(account: PayableAccount, tipPercents: readonly number[] | null) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState('');
  const [notes, setNotes] = useState<Notes>({ description: '', note: '' });
  const [isAsking, setAsking] = useState(false);
  const [cart, setCart] = useCart(account.id);
  const choice = useTaxChoice();
  const navigate = useNavigate();
  const usual = choice.rates.find(({ isDefault }) => isDefault);
  const tax = usual === undefined ? null : { name: usual.name, rate: usual.rate };
  const amount = typedValue(typed, account);
  // An amount that is typed is charged with the cart, and becomes a line of it when something else comes.
  const all = withAmount(cart, amount, tax);
  const charge = all && chargeOf(all, choice);
  const isEmpty = cart.length === 0 && amount === 0n;
  useCustomerSees(cartSeen(all ?? [], charge, account, !choice.pricesIncludeTax));
  useEffect(() => {
    customerReads.set(account.publicName);
    // The sale before is over, and nobody looks at it any more.
    watchSale(undefined);
  }, [account.publicName]);
  /** Makes an amount a line of the cart. @returns whether there was room for it. */
  const commit = (value: bigint): boolean => {
    if (withAmount(cart, value, tax) === undefined) {
      codes.setRefusal({ kind: 'full' });
      return false;
    }
    setTyped('');
    setCart((before) => withAmount(before, value, tax) ?? before);
    return true;
  };
  const accept = (product: Product): Refusal | undefined => {
    if (product.needsTaxRate) return { kind: 'rate', product };
    if (!sameAsset(product, account)) return { kind: 'currency', product };
    if (all === undefined || withProduct(all, product) === undefined) return { kind: 'full' };
    setCart((before) => withProduct(before, product) ?? before);
    return undefined;
  };
  const codes = useCodes(accept);
  const add = () => void commit(amount);
  const take = (product: Product) => {
    if (commit(amount)) codes.setRefusal(accept(product));
  };
  const scan = ({ code, before }: { code: string; before: string }) => {
    if (commit(typedValue(before, account))) void codes.look(code);
  };
  const scanKept = useEffectEvent((code: string) => scan({ code, before: '' }));
  useEffect(() => takeAhead((code) => scanKept(code)), []);
  const send = (tip: bigint) => {
    const whole = all && chargeOf(all, choice, tip);
    if (whole === undefined || all === undefined) return;
    // A sale that the node refuses comes back into the cart.
    setCart(() => all);
    const said = { description: notes.description.trim() || undefined, note: notes.note.trim() || undefined };
    keepDraft({ requestId, accountId: account.id, amount: whole.amount, bill: whole.bill, ...said });
    // The sale is in the address before the node is asked, so that a reload at any moment finds it again.
    void navigate({ to: '/till', search: { sale: requestId } });
  };
  const ask = () => {
    if (charge === undefined || codes.isLooking || isAsking) return;
    prepareSound();
    if (tipPercents === null) send(0n);
    else setAsking(true);
  };
  const press = (key: Key) => setTyped((text) => pressed(text, key, account));
  useKeys({ isActive: !isAsking, typed, press, add, charge: ask, scanned: scan });
  const refused = { refusal: codes.refusal, isLooking: codes.isLooking, onClose: () => codes.setRefusal(undefined), onAdded: take };
  return {
    ...{ typed, amount, cart, setCart, choice, notes, setNotes, press, add, take, scan, ask, send, refused, charge },
    asked: isAsking ? charge : undefined,
    isTooMuch: charge === undefined && !isEmpty,
    back: () => setAsking(false),
  };
}

function Into({ account, onChange }: Pick<CounterProps, 'account' | 'onChange'>) {
  return (
    <div className={classes.into}>
      <InertText text={words.into({ account: account.publicName })} expands={false} />
      {onChange !== undefined && (
        <Button variant="subtle" size="compact-sm" onClick={onChange}>
          {words.change}
        </Button>
      )}
    </div>
  );
}

interface FootProps {
  account: PayableAccount;
  charge: Charge | undefined;
  /** Whether the tax comes on top of the prices. */
  addsTax: boolean;
  isTooMuch: boolean;
  children: ReactNode;
}

/** The foot of the cart: the sum of the prices, and the buttons. It stays in sight. */
function Foot({ account, charge, addsTax, isTooMuch, children }: FootProps) {
  const tax = addsTax ? (charge?.counted.taxAmount ?? 0n) : 0n;
  return (
    <div className={classes.charges}>
      {tax > 0n && (
        <Text className={classes.sum} c="dimmed">
          <span>{words.taxAdded}</span>
          <bdi>{amountText({ ...account, value: tax })}</bdi>
        </Text>
      )}
      {isTooMuch && <Text c="red">{words.tooMuch}</Text>}
      <div className={classes.acts}>{children}</div>
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
    <button key={one} type="button" className={classes.key} aria-label={label} onPointerDown={keepFocus} onClick={() => onKey(one)}>
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
