import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Asset } from '../../../src-shared/amounts.ts';
import type { Product } from '../../../src-shared/operator-contract/shop/products.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { Allowed } from '../../components/page/allowed.tsx';
import { ProductDialog } from '../../components/products/product-dialog.tsx';
import type { Refusal } from './use-codes.ts';

const words = messages.till;

interface RefusedProps {
  refusal: Refusal | undefined;
  isLooking: boolean;
  asset: Asset;
  onClose: () => void;
  onAdded: (product: Product) => void;
}

/** Why a product is not in the cart, and what to do. */
export function Refused({ refusal, isLooking, asset, onClose, onAdded }: RefusedProps) {
  return (
    <div role="status" aria-live="assertive">
      {isLooking && <Text size="sm">{words.looking}</Text>}
      {refusal !== undefined && (
        <Alert color="orange" data-notice p="sm" withCloseButton closeButtonLabel={messages.common.close} onClose={onClose}>
          {textOf(refusal, asset)}
          {refusal.kind === 'unknown' && <AddWithCode code={refusal.code} asset={asset} onAdded={onAdded} />}
        </Alert>
      )}
    </div>
  );
}

function textOf(refusal: Refusal, { assetCode }: Asset): string {
  switch (refusal.kind) {
    case 'unknown':
      return words.unknownCode({ code: inertText(refusal.code) });
    case 'failed':
      return words.codeFailed({ code: inertText(refusal.code) });
    case 'full':
      return words.full;
    case 'rate':
      return words.needsTaxRate({ name: inertText(refusal.product.name) });
    case 'currency':
      return words.otherCurrency({ name: inertText(refusal.product.name), currency: refusal.product.assetCode, own: assetCode });
  }
}

function AddWithCode({ code, asset, onAdded }: { code: string; asset: Asset; onAdded: (product: Product) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Allowed to="products.add">
      <Group mt="xs">
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {words.addWithCode}
        </Button>
      </Group>
      {isOpen && <ProductDialog code={code} asset={asset} onClose={() => setOpen(false)} onSaved={onAdded} />}
    </Allowed>
  );
}
