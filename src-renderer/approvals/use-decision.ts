import { isDefinedError } from '@orpc/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApprovalRequest } from '../../src-shared/operator-contract/approvals.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.approvals;

/** The terms that are sent with an approval. They are empty when the app gets what it asked for. */
export interface TermsAnswer {
  /** The limit, in smallest units of the account. */
  debitLimit?: bigint;
  /** The limit, in smallest units of the asset asked for. */
  receiveLimit?: bigint;
  unlimitedForAccountNamed?: string;
  expiresAt?: Date;
}

export interface Decided {
  as: 'approved' | 'denied';
  request: ApprovalRequest;
}

export interface DecisionState {
  /**
   * The decision, with the request as it was shown: the node does not return it any more, but the page shows how it
   * ended.
   */
  decided: Decided | undefined;
  busy: 'approving' | 'denying' | undefined;
  /** Why the node refused the last try, unless the code was wrong. */
  error: Error | null;
  wrongCode: { attemptsLeft: number } | undefined;
  /** Approves a request. It sends the hash of the request as it was shown, so that nothing else is approved. */
  approve(request: ApprovalRequest, code: string, terms: TermsAnswer, onRefused: () => void): void;
  deny(request: ApprovalRequest): void;
}

/** The two ways to decide about a request. */
export function useDecision(): DecisionState {
  const [decided, setDecided] = useState<Decided>();
  const report = useReporting();
  const approve = useMutation(queries.approvals.approve.mutationOptions());
  const deny = useMutation(queries.approvals.deny.mutationOptions());
  const done = (as: Decided['as'], request: ApprovalRequest) => async () => {
    setDecided({ as, request });
    await report.done(as === 'approved' ? words.approvedTitle : words.deniedTitle, 'approvals', 'apps');
  };
  const wrongCode = isDefinedError(approve.error) && approve.error.code === 'WRONG_CODE' ? approve.error.data : undefined;
  return {
    decided,
    busy: approve.isPending ? 'approving' : deny.isPending ? 'denying' : undefined,
    error: deny.error ?? (wrongCode === undefined ? approve.error : null),
    wrongCode,
    approve: (request, code, terms, onRefused) =>
      approve.mutate(
        { id: request.id, code, shownHash: request.shownHash, ...terms },
        { onSuccess: done('approved', request), onError: onRefused },
      ),
    deny: (request) => deny.mutate({ id: request.id }, { onSuccess: done('denied', request), onError: report.failed }),
  };
}
