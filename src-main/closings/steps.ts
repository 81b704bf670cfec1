/** The number of rows that one question names or reads. */
export const ROWS_AT_ONCE = 250;
/** The number of lines or sales after which others go on, where nothing is read. */
export const LINES_AT_ONCE = 500;

/** Lets others go on, where nothing has to be in one write. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** In place of a pause, within a write. */
export const noPause = async (): Promise<void> => undefined;
