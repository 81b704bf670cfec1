import type { CSSProperties } from 'react';
import type { ProductColour } from '../../../src-shared/shop/product-limits.ts';

/** The colour of a product, for the style sheets that show it. Without one they show their own. */
export const tileColour = (colour: ProductColour | null): CSSProperties & Record<'--tile', string> => ({
  '--tile': colour === null ? 'transparent' : `var(--mantine-color-${colour}-6)`,
});
