import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** A page for people: one column, readable on a phone, light and dark. `body` and `script` are HTML and JavaScript of the node's own. */
export interface HtmlPage {
  title: string;
  /** Everything from outside in it has gone through {@link escapeHtml}. */
  body: string;
  /** Elements for the head of a page in a browser without JavaScript. */
  noscript?: string;
  script?: string;
}

const STYLE = `
  :root { color-scheme: light dark; font: 1.0625rem/1.55 system-ui, sans-serif; }
  body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: light-dark(#f4f5f7, #14161a); color: light-dark(#1b1e24, #e8eaee); }
  main { box-sizing: border-box; width: min(30rem, 100%); padding: 2rem 1.5rem; }
  h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 1rem; }
  p { margin: 0 0 1rem; overflow-wrap: anywhere; }
  .code { font: 600 4.5rem/1.1 ui-monospace, monospace; letter-spacing: .18em; margin: 1.5rem 0; text-align: center; padding: 1rem 0 1rem .18em; border-radius: .75rem; background: light-dark(#fff, #1f232a); border: 1px solid light-dark(#d5d9e0, #39404b); }
  .address { font: 600 1rem/1.4 ui-monospace, monospace; padding: .75rem 1rem; border-radius: .75rem; background: light-dark(#fff, #1f232a); border: 1px solid light-dark(#d5d9e0, #39404b); }
  .quiet { color: light-dark(#565d69, #a3abb8); font-size: .9375rem; }`;

/** Sends a page that loads nothing, runs only its own script, and that nobody may frame. */
export function sendHtmlPage(reply: FastifyReply, status: number, page: HtmlPage): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return reply
    .status(status)
    .headers({
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(render(page, nonce));
}

function render({ title, body, noscript, script }: HtmlPage, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <style nonce="${nonce}">${STYLE}
  </style>${noscript === undefined ? '' : `\n  <noscript>${noscript}</noscript>`}
</head>
<body>
  <main>${body}</main>${script === undefined ? '' : `\n  <script type="module" nonce="${nonce}">${script}\n  </script>`}
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text from outside as text in HTML, in elements and in attribute values. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
