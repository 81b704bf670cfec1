/** How grave a line of the node's log is, from what is rarely looked at to what ends the node. */
export const LINE_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
