import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { Product } from '../../../src-shared/operator-contract/shop/products.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { Confirm } from '../forms/confirm.tsx';
import { Allowed } from '../page/allowed.tsx';

const words = messages.products;

/** Removes a product after a question. */
export function RemoveProduct({ product: { id, name }, onRemoved }: { product: Product; onRemoved: () => void }) {
  const [asking, { open, close }] = useDisclosure(false);
  const report = useReporting();
  const removed = async () => {
    close();
    onRemoved();
    await report.done(words.removed({ name: inertText(name) }), 'products');
  };
  const remove = useMutation(queries.products.remove.mutationOptions({ onSuccess: removed, onError: report.failed }));
  return (
    <Allowed to="products.remove">
      <Button variant="subtle" color="red" onClick={open}>
        {words.remove}
      </Button>
      <Confirm
        opened={asking}
        onClose={close}
        title={words.removeTitle({ name: inertText(name) })}
        words={words.removeWords}
        action={words.remove}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id })}
      />
    </Allowed>
  );
}
