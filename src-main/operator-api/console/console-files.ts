// The files in the data folder by which the owner's commands find the running node. Commands read these names without
// loading the console's server.

/** Holds the console's URL while the node runs. */
export const CONSOLE_URL_FILE = 'console-url';
/** The file in the data folder that holds the token for scripts. */
export const OPERATOR_TOKEN_FILE = 'operator-token';
