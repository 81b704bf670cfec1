/**
 * The name of the way from a page of the desktop app to its main process: of the message by which the page hands its
 * port to the preload script, and of the channel on which the preload script passes that port on.
 */
export const CONNECT = 'paydesk:connect';
