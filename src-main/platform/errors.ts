/** Why the node cannot start, in a sentence that says what to do. Hosts print `message` and stop. */
export class StartupError extends Error {}
