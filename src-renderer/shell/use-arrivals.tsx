import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ApprovalRequest } from '../../src-shared/operator-contract/approvals.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { announce } from '../components/notices/browser-notices.ts';
import { AnchorLink } from '../components/page/links.tsx';
import { queries } from '../transport/operator-client.ts';
import { useMayCall } from '../transport/you.ts';

/**
 * Notifies the operator of every grant request that begins to wait while the console is open, on any screen.
 * @returns how many wait
 */
export function useArrivals(): number {
  const decides = useMayCall('approvals.approve');
  const { data } = useQuery({ ...queries.approvals.list.queryOptions(), enabled: decides });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const known = useRef<Set<string> | undefined>(undefined);
  const onApprovals = pathname.startsWith('/approvals');
  useEffect(() => {
    if (data === undefined) return;
    const before = known.current;
    known.current = new Set(data.map(({ id }) => id));
    // On the screens of the requests a notification would only lie over the decision.
    withdraw([...(before ?? [])].filter((id) => onApprovals || known.current?.has(id) !== true));
    if (before === undefined) return;
    for (const request of data.filter(({ id }) => !before.has(id))) {
      announce('asks', arrived(request), () => void navigate({ to: '/approvals/$id', params: { id: request.id } }));
      if (!onApprovals) tell(request);
    }
  }, [data, onApprovals, navigate]);
  return data?.length ?? 0;
}

function withdraw(ids: readonly string[]): void {
  for (const id of ids) notifications.hide(id);
}

const arrived = ({ client }: ApprovalRequest): string => messages.approvals.arrived({ client: messages.consent.clientName(client) });

function tell(request: ApprovalRequest): void {
  const { id } = request;
  notifications.show({
    id,
    title: arrived(request),
    message: (
      <AnchorLink to="/approvals/$id" params={{ id }} size="sm" onClick={() => notifications.hide(id)}>
        {messages.approvals.arrivedAction}
      </AnchorLink>
    ),
    autoClose: 20_000,
  });
}
