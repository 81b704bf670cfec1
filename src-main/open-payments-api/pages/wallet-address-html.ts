import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { escapeHtml, type HtmlPage } from './html-page.ts';

/** What a person sees who opens a wallet address in a browser: nothing that clients would not get, and the way to pay. */
export const walletAddressPage = ({ name, publicName, assetCode }: WalletAddress, url: string): HtmlPage => ({
  title: `Pay ${escapeHtml(publicName)}`,
  hasForms: true,
  body: `
    <p class="payee">Pay</p>
    <h1><bdi>${escapeHtml(publicName)}</bdi></h1>
    <form method="post" action="/pay">
      <input type="hidden" name="account" value="${escapeHtml(name)}">
      <label for="amount">Amount in ${escapeHtml(assetCode)}</label>
      <input id="amount" name="amount" inputmode="decimal" autocomplete="off" required maxlength="40">
      <button type="submit">Go on</button>
    </form>
    <hr>
    <p class="quiet">Or give this wallet address to an app or a wallet that can pay with Open Payments:</p>
    <p class="address">${escapeHtml(url)}</p>`,
});
