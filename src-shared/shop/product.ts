import { z } from '../zod.ts';
import { line } from './one-line.ts';
import { PRODUCT_COLOURS, PRODUCT_LIMITS } from './product-limits.ts';

/** What a scanner types for a product: an EAN, or any other text in one line. */
export const ProductCode = line(PRODUCT_LIMITS.code).min(1);

/** What the shop calls a product. */
export const ProductName = line(PRODUCT_LIMITS.name).min(1);

export const Colour = z.enum(PRODUCT_COLOURS);

/**
 * The codes by which one product may be scanned. Some scanners type the 12 digits of a UPC-A, others the same number
 * with a zero before it, as an EAN-13 (GS1 General Specifications, section 3.3.2).
 */
export function codesLike(code: string): string[] {
  if (/^\d{12}$/.test(code)) return [code, `0${code}`];
  return /^0\d{12}$/.test(code) ? [code, code.slice(1)] : [code];
}
