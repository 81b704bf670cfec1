import type { Reader } from '../../platform/database/database.ts';
import { logoOf, readLogo } from '../../shop/shop.ts';
import { type Picture, pictureOf } from './picture.ts';

/** The last logo that was wanted, which is that of nearly every receipt. */
let last: { hash: string; picture: Promise<Picture | undefined> } | undefined;

/**
 * The logo of a receipt, as long as the shop still has the same one, as on the page of the receipt.
 * @param hash what the receipt says about the logo
 * @returns undefined for a picture that a PDF file cannot show
 */
export async function receiptLogo(reader: Reader, hash: string | null): Promise<Picture | undefined> {
  if (hash === null || (await logoOf(reader))?.hash !== hash) return undefined;
  if (last?.hash === hash) return await last.picture;
  const logo = await readLogo(reader);
  if (logo?.hash !== hash) return undefined;
  last = { hash, picture: pictureOf(logo.bytes, logo.type) };
  return await last.picture;
}
