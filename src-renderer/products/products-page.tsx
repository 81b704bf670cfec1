import { Button, Group } from '@mantine/core';
import { IconCashRegister, IconPlus, IconTag } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Product } from '../../src-shared/operator-contract/shop/products.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { taxRateText } from '../../src-shared/words/sales/tax-rate-text.ts';
import { SearchFilter } from '../components/filters/text-filter.tsx';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import { LoadMore } from '../components/page/load-more.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { MANY_ROWS, RowContent, Rows, RowsSkeleton, rowClass } from '../components/page/rows.tsx';
import { ProductDialog } from '../components/products/product-dialog.tsx';
import { tileColour } from '../components/products/tile-colour.ts';
import { InertText } from '../components/text/inert-text.tsx';
import { RowMoney } from '../components/text/money.tsx';
import { queries } from '../transport/operator-client.ts';
import { useMayCall } from '../transport/you.ts';
import classes from './products.module.css';

const words = messages.products;

/** What the shop sells, by name. Whoever may change it opens a product by its row. */
export function ProductsPage() {
  const [text, setText] = useState<string>();
  const [opened, setOpened] = useState<Product | 'new'>();
  const products = useInfiniteQuery(
    queries.products.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor, ...(text !== undefined && { text }) }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  const list = products.data?.pages.flatMap(({ items }) => items) ?? [];
  const add = (
    <Allowed to="products.add">
      <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('new')}>
        {words.add}
      </Button>
    </Allowed>
  );
  const hasAny = text !== undefined || list.length > 0;
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Group gap="sm">
          <ButtonLink to="/till" variant="default" leftSection={<IconCashRegister size={18} aria-hidden />}>
            {words.toTill}
          </ButtonLink>
          {hasAny && add}
        </Group>
      }
    >
      {(text !== undefined || list.length >= MANY_ROWS) && (
        <search>
          <SearchFilter words={words} text={text} onFilter={setText} />
        </search>
      )}
      <Card flush>
        <Loaded query={products} skeleton={<RowsSkeleton count={3} />}>
          {() =>
            list.length === 0 ? (
              <None isSearch={text !== undefined} action={add} />
            ) : (
              <>
                <Rows label={words.title}>
                  {list.map((product) => (
                    <li key={product.id}>
                      <Row product={product} onOpen={() => setOpened(product)} />
                    </li>
                  ))}
                </Rows>
                <LoadMore list={products} />
              </>
            )
          }
        </Loaded>
      </Card>
      {opened !== undefined && <ProductDialog product={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

function None({ isSearch, action }: { isSearch: boolean; action: React.ReactNode }) {
  const mayAdd = useMayCall('products.add');
  if (isSearch) return <Empty icon={IconTag} title={words.noneFound} advice={words.noneFoundAdvice} />;
  return <Empty icon={IconTag} title={words.none} advice={mayAdd ? words.noneAdvice : words.noneReader} action={action} />;
}

function Row({ product, onOpen }: { product: Product; onOpen: () => void }) {
  const mayChange = useMayCall('products.change');
  const { name, price, code, tax, needsTaxRate, sales, colour } = product;
  const facts = [tax && `${tax.name} ${taxRateText(tax.rate)}`, code].filter((fact) => fact !== null);
  const content = (
    <RowContent
      icon={
        <span className={classes.swatch} style={tileColour(colour)}>
          {colour === null && <IconTag size={18} />}
        </span>
      }
      title={<InertText text={name} expands={false} />}
      detail={
        needsTaxRate ? <span className={classes.warns}>{words.needsTaxRate}</span> : <InertText text={facts.join(' · ')} expands={false} />
      }
      end={<RowMoney text={amountText({ ...product, value: price })} />}
      endDetail={words.sales({ count: sales })}
    />
  );
  return (
    <div className={`${rowClass} ${classes.row}`}>
      {content}
      {/* It covers the row. */}
      {mayChange && (
        <button type="button" className={classes.open} aria-label={words.changeTitle({ name: inertText(name) })} onClick={onOpen} />
      )}
    </div>
  );
}
