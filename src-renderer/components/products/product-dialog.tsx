import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Asset } from '../../../src-shared/amounts.ts';
import type { Product } from '../../../src-shared/operator-contract/shop/products.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { outcomeUnknown } from '../../transport/error-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { type TaxChoice, useTaxChoice } from '../money/tax-choice.ts';
import { Failure } from '../page/failure.tsx';
import { assetsOf, newProductDraft, productDraftOf, typedProduct } from './product-draft.ts';
import { ProductFields } from './product-fields.tsx';
import { RemoveProduct } from './remove-product.tsx';

const words = messages.products;

interface ProductDialogProps {
  /** The product that is changed. Without one, a product is added. */
  product?: Product | undefined;
  /** The code of a new product. */
  code?: string;
  /** The currency of a new product. Without one, it is that of the oldest account. */
  asset?: Asset | undefined;
  onClose: () => void;
  onSaved?: (product: Product) => void;
}

/** Adds a product, or changes or removes one. However often one form is sent, it adds one product. */
export function ProductDialog(props: ProductDialogProps) {
  const { product, asset, onClose } = props;
  const accounts = useQuery(queries.requests.accounts.queryOptions({ input: { limit: 100 } }));
  const shop = useQuery(queries.shop.get.queryOptions());
  const choice = useTaxChoice();
  const assets = assetsOf([...(product ? [product] : []), ...(asset ? [asset] : []), ...(accounts.data?.items ?? [])]);
  const title = product === undefined ? words.addTitle : words.changeTitle({ name: inertText(product.name) });
  const isReady = shop.data !== undefined && (accounts.data !== undefined || assets.length > 0);
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false}>
      <Failure error={shop.error ?? accounts.error} />
      {isReady && <ProductForm {...props} assets={assets} choice={choice} />}
    </Modal>
  );
}

interface ProductFormProps extends ProductDialogProps {
  assets: readonly Asset[];
  choice: TaxChoice;
}

function ProductForm({ product, code, assets, choice, onClose, onSaved }: ProductFormProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [first] = assets;
  const [draft, setDraft] = useState(() =>
    product === undefined ? first && newProductDraft(first, choice, code) : productDraftOf(product),
  );
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const saved = async (made: Product) => {
    onClose();
    onSaved?.(made);
    await report.done((product === undefined ? words.added : words.changed)({ name: inertText(made.name) }), 'products');
  };
  const add = useMutation(queries.products.add.mutationOptions({ onSuccess: saved, onError: report.failed }));
  const change = useMutation(queries.products.change.mutationOptions({ onSuccess: saved, onError: report.failed }));
  if (draft === undefined) return <Text>{words.noAccount}</Text>;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const typed = typedProduct(draft, choice);
    if (typed === undefined) return;
    if (product === undefined) add.mutate({ requestId, ...typed });
    else change.mutate({ id: product.id, ...typed });
  };
  // After a lost answer nobody knows whether the product was added. Only the very same one may be sent again.
  const fixed = add.isPending || change.isPending || outcomeUnknown(add.error);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <ProductFields draft={draft} onChange={(next) => setDraft({ ...draft, ...next })} {...{ assets, choice, tried, fixed }} />
        <Failure error={add.error ?? change.error} />
        <Group justify="space-between" gap="sm">
          {product === undefined ? <span /> : <RemoveProduct product={product} onRemoved={onClose} />}
          <Group gap="sm">
            <Button variant="default" onClick={onClose}>
              {messages.common.cancel}
            </Button>
            <Button type="submit" loading={add.isPending || change.isPending}>
              {outcomeUnknown(add.error) ? messages.common.tryAgain : words.save}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
