import { CloseButton, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import type { Asset } from '../../../src-shared/amounts.ts';
import type { Product } from '../../../src-shared/operator-contract/shop/products.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { locale } from '../../../src-shared/words/language/locale.ts';
import { MOST_LETTERS } from '../../components/filters/search-params.ts';
import { keepFocus } from '../../components/keypad/keep-focus.ts';
import { tileColour } from '../../components/products/tile-colour.ts';
import { InertText } from '../../components/text/inert-text.tsx';
import { queries } from '../../transport/operator-client.ts';
import classes from './cart.module.css';

const words = messages.till;
/** The most tiles that are shown. Other products are found by their names. */
const TILES = 60;
/** Time for the next letter, in milliseconds. */
const AFTER_MS = 40;

/** The products in the most sales, or those that are searched. @param text a part of a name or a code. */
const tilesQuery = ({ assetCode, assetScale }: Asset, text = '') =>
  queries.products.list.queryOptions({
    input: { order: 'sales', assetCode, assetScale, limit: TILES, ...(text !== '' && { text }) },
    placeholderData: keepPreviousData,
  });

/** The most sold first. Of those in as many sales, the names decide. */
const byUse = (a: Product, b: Product): number => b.sales - a.sales || a.name.localeCompare(b.name, locale());

/** What the till shows as tiles before anything is searched. */
export const useTiles = (asset: Asset) => useQuery(tilesQuery(asset));

interface ProductTilesProps {
  asset: Asset;
  onProduct: (product: Product) => void;
  /** What was typed into the search and ended with Enter, as a scanner does. */
  onCode: (code: string) => void;
}

/** A tile for each product, and a search. */
export function ProductTiles({ asset, onProduct, onCode }: ProductTilesProps) {
  const [text, setText] = useState('');
  const [searched] = useDebouncedValue(text.trim(), AFTER_MS);
  const { data } = useQuery(tilesQuery(asset, searched));
  const items = data?.items.toSorted(byUse) ?? [];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || text.trim() === '') return;
    // Enter in the search charges nothing.
    event.stopPropagation();
    const [only, ...others] = searched === text.trim() ? items : [];
    if (only !== undefined && others.length === 0) onProduct(only);
    else onCode(text.trim());
    setText('');
  };
  return (
    <section className={classes.products} aria-label={words.products}>
      <search>
        <TextInput
          type="search"
          size="md"
          aria-label={words.searchLabel}
          placeholder={words.searchHint}
          value={text}
          maxLength={MOST_LETTERS}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={text === '' ? null : <CloseButton aria-label={words.clearSearch} onClick={() => setText('')} />}
        />
      </search>
      {items.length === 0 && data !== undefined ? (
        <Text c="dimmed">{words.noneFound}</Text>
      ) : (
        <ul className={classes.tiles}>
          {items.map((product) => (
            <li key={product.id}>
              <button
                type="button"
                className={classes.tile}
                style={product.colour === null ? undefined : tileColour(product.colour)}
                onPointerDown={keepFocus}
                onClick={() => onProduct(product)}
              >
                <span className={classes.tileName}>
                  <InertText text={product.name} expands={false} length={60} />
                </span>
                <bdi className={classes.tilePrice}>{amountText({ ...product, value: product.price })}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      {data?.nextCursor != null && (
        <Text size="sm" c="dimmed">
          {words.moreProducts}
        </Text>
      )}
    </section>
  );
}
