/** The least and the greatest number of a tax adviser, and of a shop there. */
export const DATEV_NUMBERS = { consultant: [1_001, 9_999_999], client: [1, 99_999] } as const;
