import { interactionWords as words } from '../../../src-shared/words/pages/interaction-words.ts';
import type { InteractionOutcome, WaitingInteraction } from '../../access/grants/interactions.ts';
import { emphasized, type HtmlPage, htmlOf } from './html-page.ts';

export type PageContent = WaitingInteraction | { kind: 'done'; outcome: InteractionOutcome } | { kind: 'unknown' | 'crowded' };

/** How often a browser without JavaScript loads the page again, in seconds. */
const REFRESH_SECONDS = 4;

// Asks until somebody has decided, and then loads the page again: the node decides where the browser goes.
const SCRIPT = `
  const lapse = document.querySelector('time');
  if (lapse) lapse.textContent = new Date(lapse.dateTime).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit' });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1000));
  for (;;) {
    const answer = await fetch(location.pathname + '/state', { cache: 'no-store' }).catch(() => undefined);
    if (answer && (answer.status === 404 || (answer.ok && !(await answer.json()).waiting))) break;
    await pause();
  }
  location.reload();`;

/** The compiler finds an outcome without words. */
const endings = (): Record<InteractionOutcome, { title: string; words: string }> => words.done;

/** The page for the person who asks. Everything in it that comes from outside is escaped. */
export function interactionHtml(content: PageContent): HtmlPage {
  switch (content.kind) {
    case 'waiting':
      return {
        title: words.title,
        body: waitingBody(content),
        noscript: `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
        script: SCRIPT,
      };
    case 'done':
      return said(endings()[content.outcome].title, endings()[content.outcome]);
    case 'unknown':
    case 'crowded':
      return said(words[content.kind].heading, words[content.kind]);
  }
}

const said = (heading: string, { title, words: text }: { title: string; words: string }): HtmlPage => ({
  title,
  body: `<h1>${htmlOf(heading)}</h1><p>${htmlOf(text)}</p>`,
});

function waitingBody({ client, code, lapsesAt }: WaitingInteraction): string {
  const host = client.id.replace(/^https?:\/\//, '');
  const name = client.name === null ? '' : htmlOf(words.callsItself({ name: client.name }));
  const moment = new Date(lapsesAt).toISOString();
  const time = (html: string): string => `<time datetime="${moment}">${html}</time>`;
  return `
    <h1>${htmlOf(words.heading)}</h1>
    <p>${htmlOf(words.asks({ host }), emphasized)}${name}</p>
    <p>${htmlOf(words.typeCode)}</p>
    <p class="code" data-code="${code}" aria-label="${[...code].join(' ')}">${code}</p>
    <p class="quiet">${htmlOf(words.lapses({ moment: `${moment.slice(11, 16)} UTC` }), time)}
    ${htmlOf(words.notYou)}</p>`;
}
