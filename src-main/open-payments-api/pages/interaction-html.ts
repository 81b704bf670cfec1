import type { InteractionOutcome, WaitingInteraction } from '../../access/grants/interactions.ts';
import { escapeHtml, type HtmlPage } from './html-page.ts';

export type PageContent = WaitingInteraction | { kind: 'done'; outcome: InteractionOutcome } | { kind: 'unknown' };

/** How often the page asks again in a browser without JavaScript, in seconds. */
const REFRESH_SECONDS = 4;

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

/** The page for a person who asks. Everything in it that comes from outside is escaped. */
export function interactionHtml(content: PageContent): HtmlPage {
  switch (content.kind) {
    case 'waiting':
      return {
        title: 'Approve in paydesk',
        body: waitingBody(content),
        noscript: `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
        script: SCRIPT,
      };
    case 'done': {
      const { title, words } = DONE[content.outcome];
      return { title, body: `<h1>${title}</h1><p>${words}</p>` };
    }
    case 'unknown':
      return { title: 'Not found', body: '<h1>There is no such request</h1><p>Go back to the app and ask again.</p>' };
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
