import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Product } from '../../../src-shared/operator-contract/shop/products.ts';
import { PRODUCT_LIMITS } from '../../../src-shared/shop/product-limits.ts';
import { queries } from '../../transport/operator-client.ts';

/** Why something was not put into the cart. */
export type Refusal =
  | { readonly kind: 'unknown' | 'failed'; readonly code: string }
  | { readonly kind: 'rate' | 'currency'; readonly product: Product }
  | { readonly kind: 'full' };

/**
 * Looks up the codes that are scanned.
 * @param onFound takes the product, and says why it is not taken.
 */
export function useCodes(onFound: (product: Product) => Refusal | undefined) {
  const queryClient = useQueryClient();
  const [refusal, setRefusal] = useState<Refusal>();
  // While a code is looked up, nothing is charged: what was scanned would be missing.
  const [waiting, setWaiting] = useState(0);
  const find = async (code: string): Promise<Refusal | undefined> => {
    if (code.length > PRODUCT_LIMITS.code) return { kind: 'unknown', code };
    try {
      const { product } = await queryClient.fetchQuery({
        ...queries.products.byCode.queryOptions({ input: { code } }),
        staleTime: 0,
        retry: false,
      });
      return product === null ? { kind: 'unknown', code } : onFound(product);
    } catch {
      return { kind: 'failed', code };
    }
  };
  const look = async (code: string) => {
    setRefusal(undefined);
    setWaiting((count) => count + 1);
    const refused = await find(code);
    setWaiting((count) => count - 1);
    if (refused !== undefined) setRefusal(refused);
  };
  return { refusal, setRefusal, isLooking: waiting > 0, look };
}
