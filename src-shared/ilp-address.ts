/** An ILP address, or a prefix of addresses, as RFC 15 writes it. */
export const ILP_ADDRESS = /^(g|private|example|peer|self|test[1-3]?|local)([.][a-zA-Z0-9_~-]+)+$/;

/** The longest address of a node. Receivers need room below it, and RFC 15 allows 1023 characters for an address. */
export const MAX_NODE_ADDRESS = 512;

/** Whether `text` can be the ILP address of a node. */
export const isNodeAddress = (text: string): boolean => text.length <= MAX_NODE_ADDRESS && ILP_ADDRESS.test(text);
