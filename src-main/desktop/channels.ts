/** The message by which the page hands over its port, and the channel on which the preload script passes it on. */
export const CONNECT = 'paydesk:connect';
