import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { useMainAsset } from '../../components/forms/use-main-asset.ts';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { queries } from '../../transport/operator-client.ts';
import type { Tokens } from './rafiki-calls.ts';
import { RafikiForm } from './rafiki-form.tsx';
import { RafikiSetup } from './rafiki-setup.tsx';

const route = getRouteApi('/desk/peers/rafiki');
const words = messages.rafiki;

/** Makes a Rafiki node a peer, step by step: first here, then there, then a look whether it works. */
export function RafikiPage() {
  const { peer: id } = route.useSearch();
  const [tokens, setTokens] = useState<Tokens>();
  const navigate = useNavigate();
  const main = useMainAsset();
  return (
    <Page up="/peers" title={words.title} lead={words.lead} width="reading">
      {id === undefined ? (
        <Loaded query={main} skeleton={<Skeleton height={520} radius="lg" />}>
          {({ asset }) => (
            <RafikiForm
              initial={asset}
              onAdded={(added, made) => {
                setTokens(made);
                void navigate({ to: '/peers/rafiki', search: { peer: added }, replace: true });
              }}
            />
          )}
        </Loaded>
      ) : (
        <Chosen id={id} tokens={tokens} />
      )}
    </Page>
  );
}

function Chosen({ id, tokens }: { id: string; tokens: Tokens | undefined }) {
  const peer = useQuery(queries.peers.get.queryOptions({ input: { id } }));
  return (
    <Loaded query={peer} skeleton={<Skeleton height={520} radius="lg" />}>
      {(data) => <RafikiSetup peer={data} tokens={tokens} />}
    </Loaded>
  );
}
