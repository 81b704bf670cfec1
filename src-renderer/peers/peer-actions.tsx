import { Button, Group, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Peer } from '../../src-shared/operator-contract/peers.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { EditDialog } from './edit-dialog.tsx';
import { useRenewTokens } from './invitations/use-renew-tokens.ts';

const words = messages.peers;

/** The actions for a peer. An action that takes something away asks first. */
export function PeerActions({ peer, onToken }: { peer: Peer; onToken: (token: string) => void }) {
  const [open, setOpen] = useState<'edit' | 'renew' | 'remove'>();
  const [edits, setEdits] = useState(0);
  const report = useReporting();
  const navigate = useNavigate();
  const renewTokens = useRenewTokens(peer.id);
  const close = () => setOpen(undefined);
  const pause = useMutation(
    queries.peers.pause.mutationOptions({ onSuccess: () => report.done(words.paused, 'peers'), onError: report.failed }),
  );
  const resume = useMutation(
    queries.peers.resume.mutationOptions({ onSuccess: () => report.done(words.resumed, 'peers'), onError: report.failed }),
  );
  const renew = useMutation(
    queries.peers.renewToken.mutationOptions({
      onSuccess: ({ incomingToken }) => {
        close();
        onToken(incomingToken);
      },
    }),
  );
  const remove = useMutation(
    queries.peers.remove.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: '/peers', replace: true });
        await report.done(words.removed, 'peers');
      },
    }),
  );
  const turn = peer.state === 'active' ? pause : resume;
  return (
    <Group gap="sm">
      <Button variant="default" loading={turn.isPending} onClick={() => turn.mutate({ id: peer.id })}>
        {peer.state === 'active' ? words.pause : words.resume}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {messages.common.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => {
              setEdits(edits + 1);
              setOpen('edit');
            }}
          >
            {words.edit}
          </Menu.Item>
          <Menu.Item onClick={renewTokens}>{messages.invitations.renew}</Menu.Item>
          <Menu.Item onClick={() => setOpen('renew')}>{words.renew}</Menu.Item>
          <Menu.Item color="red" onClick={() => setOpen('remove')}>
            {words.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {edits > 0 && <EditDialog key={edits} peer={peer} opened={open === 'edit'} onClose={close} />}
      <Confirm
        opened={open === 'renew'}
        onClose={close}
        title={words.renewTitle}
        words={words.renewWords}
        action={words.renew}
        danger
        busy={renew.isPending}
        error={renew.error}
        onConfirm={() => renew.mutate({ id: peer.id })}
      />
      <Confirm
        opened={open === 'remove'}
        onClose={close}
        title={words.removeTitle({ name: inertText(peer.name) })}
        words={words.removeWords}
        action={words.remove}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id: peer.id })}
      />
    </Group>
  );
}
