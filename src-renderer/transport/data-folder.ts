const written = document.querySelector<HTMLMetaElement>('meta[name="paydesk-data-folder"]')?.content ?? '';

/** The data folder of the node that sent this page. It is known without a session and while the console is locked. */
export const dataFolder: string = decodeURIComponent(written);
