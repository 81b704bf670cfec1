import { walletAddressWords as words } from '../../../src-shared/words/pages/wallet-address-words.ts';
import { strong } from '../../../src-shared/words/words.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { escapeHtml, type HtmlPage, htmlOf } from './html-page.ts';
import { type ShownShop, shopHead } from './shop-html.ts';

/** The page for a person who opens a wallet address in a browser. It shows what clients get, too, and a form to pay. */
export const walletAddressPage = ({ name, publicName, assetCode }: WalletAddress, url: string, shop: ShownShop | undefined): HtmlPage => ({
  title: words.title({ payee: publicName }),
  hasForms: true,
  brand: shop?.colour ?? null,
  body: `${shopHead(shop)}
    <p class="payee">${htmlOf(words.pay)}</p>
    <h1>${htmlOf([strong(publicName)])}</h1>
    <form method="post" action="/pay">
      <input type="hidden" name="account" value="${escapeHtml(name)}">
      <label for="amount">${htmlOf(words.amountIn({ currency: assetCode }))}</label>
      <input id="amount" name="amount" inputmode="decimal" autocomplete="off" required maxlength="40">
      <button type="submit">${htmlOf(words.continue)}</button>
    </form>
    <hr>
    <p class="quiet">${htmlOf(words.forApps)}</p>
    <p class="address">${escapeHtml(url)}</p>`,
});
