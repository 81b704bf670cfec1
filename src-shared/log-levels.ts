/** The levels of the node's log, from the least serious to the one that ends the node. */
export const LINE_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
