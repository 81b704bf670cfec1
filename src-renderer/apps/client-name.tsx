import { Text } from '@mantine/core';
import type { ClientIdentity } from '../../src-shared/operator-contract/access.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { InertText } from '../components/text/inert-text.tsx';

/** Shows who an app is: first the verified part, then what the app says about itself. */
export function ClientName({ client, expands = true }: { client: ClientIdentity; expands?: boolean }) {
  return (
    <>
      <strong>
        <InertText text={messages.consent.clientName(client)} expands={expands} length={64} />
      </strong>
      {client.selfAssertedName !== null && (
        <Text component="span" c="dimmed" size="sm" fw={400}>
          {' '}
          <InertText text={messages.approvals.selfAsserted(client.selfAssertedName)} expands={expands} length={60} />
        </Text>
      )}
    </>
  );
}
