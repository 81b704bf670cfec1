// What a page keeps in its browser. A browser that keeps nothing forgets it with the page.

/** What all pages of this browser share. It stays when the browser is closed. */
export const ofBrowser = () => localStorage;
/** What this tab has for itself. A reload finds it again. */
export const ofTab = () => sessionStorage;

/** @returns undefined when nothing is kept under the name. */
export function remembered(storage: () => Storage, name: string): string | undefined {
  try {
    return storage().getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text, or forgets it when there is none. */
export function remember(storage: () => Storage, name: string, text: string | undefined): void {
  try {
    if (text === undefined) storage().removeItem(name);
    else storage().setItem(name, text);
  } catch {
    // The page works without it.
  }
}
