import { useState } from 'react';
import type { Cart } from './cart/cart.ts';
import { keepCart, keptCart } from './till-memory.ts';

/** The cart of an account. It outlasts a reload of the page. */
export function useCart(accountId: string): [Cart, (change: (cart: Cart) => Cart) => void] {
  const [cart, setCart] = useState(() => keptCart(accountId));
  const change = (next: (cart: Cart) => Cart) =>
    setCart((before) => {
      const after = next(before);
      keepCart(accountId, after);
      return after;
    });
  return [cart, change];
}
