import { z } from '../zod.ts';

/** A text in one line, without what is invisible. @param longest in UTF-16 units. */
export const line = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), 'One line without control characters.');
