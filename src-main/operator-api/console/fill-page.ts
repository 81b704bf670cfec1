/** What the node writes into the console's page when it sends it. */
interface PageFacts {
  /** The nonce for the styles of the page, for this load only. */
  nonce: string;
  /** The data folder. The commands that the page shows before anybody has signed in name the right node with it. */
  dataFolder: string;
}

/** Fills in `index.html`. The folder is encoded, because its name may have quotes and angle brackets. */
export const fillPage = (html: string, { nonce, dataFolder }: PageFacts): string =>
  html.replaceAll('__STYLE_NONCE__', nonce).replaceAll('__DATA_FOLDER__', encodeURIComponent(dataFolder));
