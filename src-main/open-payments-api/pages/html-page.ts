import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { textOn } from '../../../src-shared/shop/contrast.ts';
import { lengthOf, moneyParts } from '../../../src-shared/words/amount-text.ts';
import type { LanguageTag } from '../../../src-shared/words/catalogues/languages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { directionOf, inLanguage } from '../../../src-shared/words/language/language.ts';
import type { Words } from '../../../src-shared/words/words.ts';
import { PAGE_STYLE } from './page-style.ts';
import { choiceCookie, PAGE_LANGUAGES, visitorsLanguage } from './visitors-language.ts';

/**
 * A page for people: one column, readable on a phone, light and dark. The node itself writes the HTML of `body` and the
 * script.
 */
export interface HtmlPage {
  /** The title, as plain text. */
  title: string;
  /** HTML. Everything from outside in it has gone through {@link escapeHtml}. */
  body: string;
  /** HTML elements for the head. */
  head?: string;
  /** HTML elements for the head, for browsers without JavaScript. */
  noscript?: string;
  script?: string;
  /** The style of this page, beside that of every page. */
  style?: string;
  /** The shop's colour, as `#rrggbb`, for its buttons. Without it they have paydesk's colour. */
  brand?: string | null;
  /**
   * Whether it has forms. They go to this node only, and the browser then tells this node from which page they come.
   */
  hasForms?: boolean;
}

/**
 * Sends a page in the language of its visitor. It loads nothing, it runs only its own script, and no other page may
 * frame it.
 * @param make makes the page from the words of that language, at once
 */
export async function sendHtmlPage(reply: FastifyReply, status: number, make: () => HtmlPage): Promise<FastifyReply> {
  const tag = await visitorsLanguage(reply.request);
  const page = inLanguage(tag, make);
  // The answer to a form has no address of its own to which a link could lead.
  const footer = reply.request.method === 'POST' ? '' : (switches.get(tag) ?? '');
  const choice = choiceCookie(reply.request);
  if (choice !== undefined) reply.header('set-cookie', choice);
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${page.hasForms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ];
  reply.headers({ 'content-security-policy': policy.join('; '), 'referrer-policy': page.hasForms ? 'same-origin' : 'no-referrer' });
  return sendInLanguage(reply.status(status), tag, render(page, { nonce, tag, footer }));
}

/**
 * Sends a page that says the same to everybody, in the language of its visitor. The page loads nothing and runs
 * nothing. It is made once for each language, so sending it costs an overloaded node little.
 */
export async function sendStandingPage(reply: FastifyReply, status: number, make: () => HtmlPage): Promise<FastifyReply> {
  const tag = await visitorsLanguage(reply.request);
  const made = standing.get(make) ?? new Map<LanguageTag, string>();
  const html = made.get(tag) ?? inertPage(tag, make);
  standing.set(make, made.set(tag, html));
  // The page itself forbids the rest; see inertPage.
  const policy = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
  return sendInLanguage(reply.status(status), tag, html);
}

/** The pages that somebody has met, by what makes them and by language. */
const standing = new WeakMap<() => HtmlPage, Map<LanguageTag, string>>();

const sendInLanguage = (reply: FastifyReply, tag: LanguageTag, html: string): FastifyReply =>
  reply
    .headers({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'content-language': tag })
    .header('vary', [reply.getHeader('vary') ?? 'Accept', 'Accept-Language', 'Cookie'].join(', '))
    .type('text/html; charset=utf-8')
    .send(html);

/**
 * A page as a text, in a language that is loaded. Wherever it is opened, it loads nothing but the pictures in it, and
 * runs nothing.
 */
export function inertPage(tag: LanguageTag, make: () => HtmlPage): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:`;
  const { script: _, ...page } = inLanguage(tag, make);
  return render({ ...page, policy }, { nonce, tag, footer: '' });
}

interface Frame {
  nonce: string;
  tag: LanguageTag;
  footer: string;
}

type Rendered = HtmlPage & { policy?: string };

function render(
  { title, body, head = '', noscript, script, style = '', brand = null, policy }: Rendered,
  { nonce, tag, footer }: Frame,
): string {
  return `<!doctype html>
<html lang="${tag}" dir="${directionOf(tag)}">
<head>
  <meta charset="utf-8">${policy === undefined ? '' : `\n  <meta http-equiv="Content-Security-Policy" content="${policy}">`}
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" href="data:,">
  <title>${escapeHtml(inertText(title))}</title>
  <style nonce="${nonce}">${PAGE_STYLE}${brandStyle(brand)}${style}
  </style>${head}${noscript === undefined ? '' : `\n  <noscript>${noscript}</noscript>`}
</head>
<body>
  <main>${body}</main>${footer}${script === undefined ? '' : `\n  <script type="module" nonce="${nonce}">${script}\n  </script>`}
</body>
</html>
`;
}

/** The style with the shop's colour. The colour goes into the style as it is, so nothing but a colour may come here. */
const brandStyle = (brand: string | null): string =>
  brand !== null && /^#[0-9a-f]{6}$/.test(brand) ? `\n  :root { --brand: ${brand}; --brand-on: ${textOn(brand)}; }` : '';

/** Links to the same page in the other languages. They need no script. */
function languageSwitch(shown: LanguageTag): string {
  const others = PAGE_LANGUAGES.filter((tag) => tag !== shown);
  if (others.length === 0) return '';
  const links = others.map((tag) => {
    const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
    return `<a href="?lang=${tag}" lang="${tag}" hreflang="${tag}" rel="nofollow">${escapeHtml(name)}</a>`;
  });
  return `\n  <footer class="languages">${links.join(' ')}</footer>`;
}

/** Whether a person looks at the answer: browsers name `text/html` first, clients ask for JSON or for anything. */
export function prefersHtml(accept = ''): boolean {
  const [first = ''] = accept.slice(0, MAX_ACCEPT).split(',', 1);
  const [type = '', ...parameters] = first.split(';').map((part) => part.trim().toLowerCase());
  // A weight of 0 means “not this” (RFC 9110 §12.4.2).
  return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
}

/** The node reads only this many characters of a longer `Accept` header. */
const MAX_ACCEPT = 1_024;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Makes text safe for HTML, in elements and in attribute values. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const isolated = (html: string): string => `<bdi>${html}</bdi>`;

/**
 * An amount as HTML. It takes a line of its own, is written smaller where its number would not fit, and breaks at most
 * before its currency.
 */
export function moneyHtml(text: string): string {
  const parts = moneyParts(text);
  const longest = Math.max(...parts.map(lengthOf));
  const pieces = parts.map((part) => `<span>${escapeHtml(part)}</span>`).join(' ');
  return `<span class="money"><span data-characters="${longest}">${isolated(pieces)}</span></span>`;
}

/**
 * Words as HTML. A stranger's text in them is made inert.
 * @param mark makes an HTML element of each strong piece. By default the element is a `bdi`: text of a stranger that
 * runs from right to left does not turn the words around it.
 */
export const htmlOf = (words: string | Words, mark: (html: string) => string = isolated): string =>
  typeof words === 'string'
    ? escapeHtml(words)
    : words.map((piece) => (typeof piece === 'string' ? escapeHtml(piece) : mark(escapeHtml(inertText(piece.strong))))).join('');

/** Makes a piece strong that {@link htmlOf} puts into a sentence. */
export const emphasized = (html: string): string => `<strong>${isolated(html)}</strong>`;

/** The links of each language. They are made once, because each page of a stranger has them. */
const switches: ReadonlyMap<LanguageTag, string> = new Map(PAGE_LANGUAGES.map((tag) => [tag, languageSwitch(tag)]));
