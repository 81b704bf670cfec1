import type { InteractionOutcome, WaitingInteraction } from '../access/interactions.ts';

export type PageContent = WaitingInteraction | { kind: 'done'; outcome: InteractionOutcome } | { kind: 'unknown' };

/** How often the page asks again in a browser without JavaScript, in seconds. */
const REFRESH_SECONDS = 4;

const STYLE = `
  :root { color-scheme: light dark; font: 1.0625rem/1.55 system-ui, sans-serif; }
  body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: light-dark(#f4f5f7, #14161a); color: light-dark(#1b1e24, #e8eaee); }
  main { box-sizing: border-box; width: min(30rem, 100%); padding: 2rem 1.5rem; }
  h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 1rem; }
  p { margin: 0 0 1rem; overflow-wrap: anywhere; }
  .code { font: 600 4.5rem/1.1 ui-monospace, monospace; letter-spacing: .18em; margin: 1.5rem 0; text-align: center; padding: 1rem 0 1rem .18em; border-radius: .75rem; background: light-dark(#fff, #1f232a); border: 1px solid light-dark(#d5d9e0, #39404b); }
  .quiet { color: light-dark(#565d69, #a3abb8); font-size: .9375rem; }`;

// Asks until there is something to see, then loads the page again: the server decides where the browser goes.
const SCRIPT = `
  const lapse = document.querySelector('time');
  if (lapse) lapse.textContent = new Date(lapse.dateTime).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1000));
  for (;;) {
    const answer = await fetch(location.pathname + '/state', { cache: 'no-store' }).catch(() => undefined);
    if (answer && (answer.status === 404 || (answer.ok && !(await answer.json()).waiting))) break;
    await pause();
  }
  location.reload();`;

const DONE: Record<InteractionOutcome, { title: string; words: string }> = {
  approved: { title: 'Approved', words: 'The app can carry on. You can close this page.' },
  issued: { title: 'Done', words: 'The app has what it asked for. You can close this page.' },
  denied: { title: 'Not approved', words: 'The request was turned down. You can close this page.' },
  lapsed: { title: 'Too late', words: 'Nobody decided in time. Go back to the app and ask again.' },
  revoked: { title: 'Withdrawn', words: 'The app has withdrawn its request. You can close this page.' },
};

/** The page as HTML. Everything that comes from outside is escaped; it loads nothing. */
export function interactionHtml(content: PageContent, nonce: string): string {
  switch (content.kind) {
    case 'waiting':
      return page('Approve in paydesk', waitingBody(content), nonce, true);
    case 'done': {
      const { title, words } = DONE[content.outcome];
      return page(title, `<h1>${title}</h1><p>${words}</p>`, nonce, false);
    }
    case 'unknown':
      return page('Not found', '<h1>There is no such request</h1><p>Go back to the app and ask again.</p>', nonce, false);
  }
}

function waitingBody({ client, code, lapsesAt }: WaitingInteraction): string {
  const host = client.id.replace(/^https?:\/\//, '');
  const name = client.name === null ? '' : ` It calls itself “<bdi>${escapeHtml(client.name)}</bdi>”.`;
  const moment = new Date(lapsesAt).toISOString();
  return `
    <h1>Approve this request in paydesk</h1>
    <p><strong><bdi>${escapeHtml(host)}</bdi></strong> asks for permission.${name}</p>
    <p>Open paydesk, look at what it asks for, and type this code there:</p>
    <p class="code" data-code="${code}" aria-label="${[...code].join(' ')}">${code}</p>
    <p class="quiet">This page goes on by itself after the decision. The request lapses at <time datetime="${moment}">${moment.slice(11, 16)} UTC</time>.
    If you did not ask for anything, close this page.</p>`;
}

function page(title: string, body: string, nonce: string, waits: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <style nonce="${nonce}">${STYLE}
  </style>${waits ? `\n  <noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>` : ''}
</head>
<body>
  <main>${body}</main>${waits ? `\n  <script type="module" nonce="${nonce}">${SCRIPT}\n  </script>` : ''}
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
