import { Alert, Stack } from '@mantine/core';
import { isDefinedError } from '@orpc/client';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { InvitationProblem } from '../../../src-shared/peering/invitation-problems.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Failure } from '../../components/page/failure.tsx';

const words = messages.invitations;

/** What may pass by itself: the node goes on with an acceptance that ran into it. */
const MAY_PASS: ReadonlySet<InvitationProblem> = new Set<InvitationProblem>([
  'unreachable',
  'busy',
  'not_called_back',
  'no_node',
  'unknown',
  'address_not_allowed',
]);

/** Says why an invitation was not read or accepted. @param accepts whether it was to be accepted */
export function InvitationFailure({ error, accepts = false }: { error: InvitationError | null; accepts?: boolean }) {
  const problem = problemOf(error);
  if (problem === undefined) return <Failure error={error} />;
  return (
    <Alert color="orange" data-notice role="alert" icon={<IconAlertTriangle aria-hidden />} title={words.refused}>
      <Stack gap="xs">
        {words.problems[problem]}
        {accepts && MAY_PASS.has(problem) && <span>{words.goesOn}</span>}
      </Stack>
    </Alert>
  );
}

type InvitationError = Error & { code?: string; data?: unknown };

const problemOf = (error: InvitationError | null): InvitationProblem | undefined =>
  error !== null && isDefinedError(error) ? ((error as { data?: { problem?: InvitationProblem } }).data?.problem ?? undefined) : undefined;
