import pg from 'pg';

// Tests that let a clock run on must know when the node has come to rest. In this process it waits for nothing but
// its statements, and all of them go through these two functions of the driver.

const listeners = new Set<(sql: string) => void>();
let underWay = 0;

type Call = (this: unknown, ...args: unknown[]) => unknown;

/** @param sqlOf what the call asks of the server */
function watched(original: Call, sqlOf: (args: unknown[]) => string | undefined): Call {
  return function (...args) {
    const sql = sqlOf(args);
    if (sql !== undefined) for (const listener of listeners) listener(sql);
    const answer = original.apply(this, args);
    if (!(answer instanceof Promise)) return answer;
    underWay += 1;
    const over = () => {
      underWay -= 1;
    };
    answer.then(over, over);
    return answer;
  };
}

/** The text of a statement of the query builder, which quotes every name. */
function builtStatement([query]: unknown[]): string | undefined {
  const text = typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
  return /^(select|insert|update|delete|with)\b.*"/is.test(text) ? text : undefined;
}

const { query, connect } = pg.Client.prototype as unknown as Record<'query' | 'connect', Call>;
Object.assign(pg.Client.prototype, { query: watched(query, builtStatement), connect: watched(connect, () => undefined) });

/** Calls `listener` with each statement that the query builder sends. @returns a function that ends the calls. */
export function hear(listener: (sql: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Lets so many turns of the event loop pass, one after the other, in which no statement is under way. */
export async function idle(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; ) {
    await new Promise((resolve) => setImmediate(resolve));
    turn = underWay === 0 ? turn + 1 : 0;
  }
}
