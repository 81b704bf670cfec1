/** The name under which the service worker looks; see `public/till/sw.js`. */
const SHELL = 'paydesk-till';
/** How long the page waits until it has loaded what it needs, in milliseconds. */
const LOADED_WITHIN_MS = 4_000;

/**
 * Lets the browser keep the page and its files, so that it can open without a connection, and forget those of an older
 * version. Browsers allow it at encrypted addresses only, and the till works without it.
 */
export async function keepShell(): Promise<void> {
  if (!('serviceWorker' in navigator) || !isSecureContext) return;
  try {
    await navigator.serviceWorker.register('/till/sw.js', { scope: '/till/' });
    await new Promise((resolve) => setTimeout(resolve, LOADED_WITHIN_MS));
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const files = new Set([`${location.origin}/till/`, ...loaded.filter((name) => new URL(name).pathname.startsWith('/till/assets/'))]);
    const shell = await caches.open(SHELL);
    await shell.addAll([...files]);
    for (const { url } of await shell.keys()) if (!files.has(url)) await shell.delete(url);
  } catch {
    // A browser that keeps nothing, or a node that is away: the next opening tries again.
  }
}
