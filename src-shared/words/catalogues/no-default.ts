/** A page in a browser has no words before it has loaded those of its reader. */
export const defaultCatalogue: Readonly<Record<string, string>> | undefined = undefined;
