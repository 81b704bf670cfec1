import type { ShopProfile } from '../../../src-shared/shop/shop-profile.ts';
import { shopWords as words } from '../../../src-shared/words/pages/shop-words.ts';
import { escapeHtml, type HtmlPage, htmlOf } from './html-page.ts';

/** The shop as a visitor sees it. */
export interface ShownShop extends Pick<ShopProfile, 'name' | 'address' | 'colour'> {
  /** The path of its logo on this node; null without one. */
  logo: string | null;
}

/** The head of a page that says whose it is. It is empty for a shop that nobody has named. */
export function shopHead(shop: ShownShop | undefined): string {
  if (shop === undefined) return '';
  const logo = shop.logo === null ? '' : `<img src="${escapeHtml(shop.logo)}" alt="">`;
  const address =
    shop.address.length === 0
      ? ''
      : `<span class="quiet">${shop.address.map((line) => `<bdi>${escapeHtml(line)}</bdi>`).join('<br>')}</span>`;
  return `
    <header class="shop">${logo}<div><strong><bdi>${escapeHtml(shop.name)}</bdi></strong>${address}</div></header>`;
}

/** The first page of the public URL: the shop, and where it can be paid. */
export const shopPage = (shop: ShownShop, addresses: readonly { publicName: string; url: string }[]): HtmlPage => ({
  title: shop.name,
  brand: shop.colour,
  body: `${shopHead(shop)}
    <h1>${htmlOf(words.heading)}</h1>${addresses.length === 0 ? `<p>${htmlOf(words.none)}</p>` : ''}
    <ul class="accounts">${addresses
      .map(
        ({ publicName, url }) =>
          `<li><a href="${escapeHtml(url)}"><bdi>${escapeHtml(publicName)}</bdi><span class="quiet"><bdi dir="ltr">${escapeHtml(url.replace(/^https?:\/\//, ''))}</bdi></span></a></li>`,
      )
      .join('')}</ul>`,
});
