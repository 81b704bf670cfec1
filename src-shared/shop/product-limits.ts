/** The most products of a shop. */
export const MOST_PRODUCTS = 5_000;

/** How long the texts of a product may be, in UTF-16 units. */
export const PRODUCT_LIMITS = { name: 100, code: 64 } as const;

/** The colours of a product's tile, by their names in the theme. */
export const PRODUCT_COLOURS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'] as const;
export type ProductColour = (typeof PRODUCT_COLOURS)[number];
