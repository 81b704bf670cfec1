import { useQuery } from '@tanstack/react-query';
import { owner, readers } from '../../src-shared/people/roles.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Page } from '../components/page/page.tsx';
import { Split } from '../components/page/split.tsx';
import { queries } from '../transport/operator-client.ts';
import { useMay } from '../transport/you.ts';
import { ApiKeysCard } from './api-keys/api-keys-card.tsx';
import { BackupsCard } from './backups-card.tsx';
import { DesktopCard } from './desktop-card.tsx';
import { DisplayCard } from './display-card.tsx';
import { LockCard } from './lock-card.tsx';
import { NodeCard } from './node-card.tsx';
import { PeopleCard } from './people/people-card.tsx';
import { RestoreCard } from './restore-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SharedBooksCard } from './shared-books-card.tsx';

/** The screen of all settings: backups, the lock, the desktop app and the node. */
export function SettingsPage() {
  const info = useQuery(queries.node.info.queryOptions());
  const owns = useMay(owner);
  const reads = useMay(readers);
  const isServed = info.data?.host === 'headless';
  return (
    <Page title={messages.settings.title}>
      <Split
        main={
          <>
            {owns && <LockCard />}
            {owns && isServed && <PeopleCard />}
            {isServed && <SessionsCard />}
            {owns && isServed && <ApiKeysCard />}
            {owns && info.data?.database === null && (
              <>
                <BackupsCard />
                <RestoreCard />
              </>
            )}
            {owns && typeof info.data?.database === 'string' && <SharedBooksCard database={info.data.database} />}
          </>
        }
        side={
          <>
            {owns && info.data?.host === 'desktop' && <DesktopCard />}
            {reads && <NodeCard />}
            <DisplayCard />
          </>
        }
      />
    </Page>
  );
}
