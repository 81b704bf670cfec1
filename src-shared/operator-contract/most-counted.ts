/** How many are counted of what may be very many (decisions.md#D-139). */
export const MOST_COUNTED = 10_000;
