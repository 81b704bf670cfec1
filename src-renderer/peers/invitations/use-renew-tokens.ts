import { useMutation } from '@tanstack/react-query';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';

const words = messages.invitations;

/** Renews the tokens of a peer in both directions, and says what came of it. */
export function useRenewTokens(peerId: string): () => void {
  const report = useReporting();
  const renew = useMutation(
    queries.invitations.renewTokens.mutationOptions({
      onSuccess: ({ state }) => report.done(state === 'done' ? words.renewed : words.renewing, 'peers'),
      onError: report.failed,
    }),
  );
  return () => renew.mutate({ id: peerId });
}
