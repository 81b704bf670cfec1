import { useEffect, useState } from 'react';
import type { ApprovalRequest } from '../../src-shared/operator-contract/access.ts';

/**
 * Requests that were shown as waiting and have lapsed since: the node lists them no more, but the operator who was about to
 * decide should read why they are gone.
 */
export function useLapsed(
  waiting: readonly ApprovalRequest[] | undefined,
  now: Date,
): { lapsed: ApprovalRequest[]; dismiss: (id: string) => void } {
  const [seen, setSeen] = useState<ReadonlyMap<string, ApprovalRequest>>(new Map());
  useEffect(() => {
    if (waiting === undefined) return;
    setSeen((before) => {
      const listed = new Map(waiting.map((request) => [request.id, request]));
      // Gone before its time means decided; that was said where it was decided.
      const gone = [...before].filter(([id, { lapsesAt }]) => !listed.has(id) && lapsesAt <= now);
      return gone.length === 0 && sameKeys(before, listed) ? before : new Map([...gone, ...listed]);
    });
  }, [waiting, now]);
  const dismiss = (id: string) => setSeen((before) => new Map([...before].filter(([one]) => one !== id)));
  return { lapsed: [...seen.values()].filter(({ lapsesAt }) => lapsesAt <= now), dismiss };
}

const sameKeys = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean =>
  a.size === b.size && [...a.keys()].every((key) => b.has(key));
