import { useEffect, useRef, useState } from 'react';

/** How many rows are there of how many. */
export interface ExportedRows {
  rows: number;
  of: number;
}

export type ExportState =
  | { kind: 'ready' }
  | ({ kind: 'running' } & ExportedRows)
  | { kind: 'done'; rows: number }
  | { kind: 'failed'; error: Error };

/**
 * Fetches a file part by part, and says how far it is. Leaving the page stops it.
 * @param fetchFile saves the file once it is whole, and resolves with the number of its rows. It throws when it is
 * stopped before that.
 */
export function useExport<Wanted>(
  fetchFile: (wanted: Wanted, signal: AbortSignal, onPart: (progress: ExportedRows) => void) => Promise<number>,
) {
  const [state, setState] = useState<ExportState>({ kind: 'ready' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    running.current = undefined;
    setState({ kind: 'ready' });
  };
  /** @param expected how many rows to expect. The export itself reports how many it has. */
  const start = async (wanted: Wanted, expected = 0) => {
    const attempt = new AbortController();
    running.current = attempt;
    setState({ kind: 'running', rows: 0, of: expected });
    try {
      const rows = await fetchFile(wanted, attempt.signal, ({ rows, of }) => {
        if (!attempt.signal.aborted) setState({ kind: 'running', rows, of });
      });
      if (!attempt.signal.aborted) setState({ kind: 'done', rows });
    } catch (error) {
      if (!attempt.signal.aborted)
        setState({ kind: 'failed', error: error instanceof Error ? error : new Error('the file was not finished') });
    }
  };
  return { state, start, stop };
}
