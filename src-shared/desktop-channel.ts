/**
 * Connects a page of the desktop app with its main process. The page sends a message with this name to hand its port to
 * the preload script. The preload script passes the port on over the channel with this name.
 */
export const CONNECT = 'paydesk:connect';
