/** Shows moments in the browser's own language and time zone. */
export const LOCAL_TIMES = `
  const local = () => {
    for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
  };
  local();`;

const iso = (at: number): string => new Date(at).toISOString();

/** A moment as text, for browsers without JavaScript. @param at milliseconds since the Unix epoch */
export const utcText = (at: number): string => `${iso(at).slice(0, 16).replace('T', ' ')} UTC`;

/** A moment as HTML, which {@link LOCAL_TIMES} shows in the browser's own time zone. */
export const timeHtml = (at: number): string => `<time datetime="${iso(at)}">${utcText(at)}</time>`;
