import { Code, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { NodeConfiguration } from '../../src-shared/operator-contract/settings.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../src-shared/words/date-text.ts';
import { durationText } from '../../src-shared/words/duration-text.ts';
import { Card } from '../components/page/card.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Facts } from '../components/text/facts.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { queries } from '../transport/operator-client.ts';

const words = messages.settings.node;

/** Shows the options with which the node was started, and how to change each of them. */
export function NodeCard() {
  const node = useQuery(queries.settings.node.queryOptions());
  return (
    <Card title={words.title}>
      <Text size="sm" c="dimmed" mb="xs">
        {words.lead}
      </Text>
      <Loaded query={node} skeleton={<Skeleton height={480} />}>
        {(configuration) => <Facts facts={factsOf(configuration)} />}
      </Loaded>
    </Card>
  );
}

/** A value, and below it how it is changed. */
function Setting({ option, note, children }: { option?: string; note?: string; children: ReactNode }) {
  return (
    <>
      {children}
      {note !== undefined && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
      {option !== undefined && (
        <Text size="sm" c="dimmed">
          {words.change({ option })}
        </Text>
      )}
    </>
  );
}

const factsOf = (node: NodeConfiguration): readonly (readonly [string, ReactNode])[] => [
  [
    words.publicUrl,
    <Setting key="url" option="--public-url" {...(!node.publicUrlGiven && { note: words.notGiven })}>
      <InertText text={node.publicUrl} />
    </Setting>,
  ],
  [
    words.listen,
    <Setting key="listen" option="--listen">
      {node.listen}
    </Setting>,
  ],
  [
    words.console,
    node.console === null ? undefined : (
      <Setting key="console" option="--console">
        {node.console}
      </Setting>
    ),
  ],
  [words.certificate, <Certificate key="certificate" node={node} />],
  [
    words.proxies,
    node.trustedProxies.length === 0 ? undefined : (
      <Setting key="proxies" option="--trusted-proxies">
        {node.trustedProxies.join(', ')}
      </Setting>
    ),
  ],
  [
    words.ilpAddress,
    <Setting key="ilp" option="--ilp-address">
      <InertText text={node.ilpAddress} />
    </Setting>,
  ],
  [
    words.tokenLifetime,
    <Setting key="tokens" option="--token-lifetime">
      {durationText(node.tokenLifetime)}
    </Setting>,
  ],
  [
    words.keepDays,
    <Setting key="keep" option="--keep-days">
      {durationText(node.keepDays * 86_400)}
    </Setting>,
  ],
  [
    words.archiveDays,
    <Setting key="archive" option="--archive-days">
      {durationText(node.archiveDays * 86_400)}
    </Setting>,
  ],
  [
    words.keys,
    node.database !== null ? (
      words.keysInDatabase
    ) : (
      <Setting key="keys" {...(node.host === 'headless' && { option: '--secrets-passphrase-file' })}>
        {node.keysEncrypted ? words.keysEncrypted : words.keysOpen}
      </Setting>
    ),
  ],
  [
    words.database,
    node.database === null ? undefined : (
      <Setting key="database" option="--database">
        <InertText text={node.database} />
      </Setting>
    ),
  ],
  [
    words.dataFolder,
    <Setting key="folder" option="--data-dir">
      <Code dir="ltr">{node.dataFolder}</Code>
    </Setting>,
  ],
  [
    words.logLevel,
    <Setting key="log" option="--log-level">
      {node.logLevel}
    </Setting>,
  ],
  [
    words.development,
    <Setting key="development" option="--development">
      {node.development ? words.developmentOn : words.developmentOff}
    </Setting>,
  ],
  [words.version, node.version],
];

function Certificate({ node: { certificateEndsAt, trustedProxies } }: { node: NodeConfiguration }) {
  if (certificateEndsAt !== null)
    return <Setting note={words.changeFile}>{words.certificateUntil({ when: dateTimeText(certificateEndsAt) })}</Setting>;
  return <Setting option="--tls-cert --tls-key">{trustedProxies.length > 0 ? words.certificateProxy : words.certificateNone}</Setting>;
}
