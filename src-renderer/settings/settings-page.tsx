import { useQuery } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Page } from '../components/page/page.tsx';
import { Split } from '../components/page/split.tsx';
import { queries } from '../transport/operator-client.ts';
import { ApiKeysCard } from './api-keys/api-keys-card.tsx';
import { BackupsCard } from './backups-card.tsx';
import { DesktopCard } from './desktop-card.tsx';
import { DisplayCard } from './display-card.tsx';
import { LockCard } from './lock-card.tsx';
import { NodeCard } from './node-card.tsx';
import { RestoreCard } from './restore-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SharedBooksCard } from './shared-books-card.tsx';
import { TillCard } from './till-card.tsx';

/** The screen of all settings: backups, the lock, the desktop app and the node. */
export function SettingsPage() {
  const info = useQuery(queries.node.info.queryOptions());
  return (
    <Page title={messages.settings.title}>
      <Split
        main={
          <>
            <LockCard />
            {info.data?.host === 'headless' && <SessionsCard />}
            {info.data?.host === 'headless' && <ApiKeysCard />}
            {info.data?.database === null && (
              <>
                <BackupsCard />
                <RestoreCard />
              </>
            )}
            {typeof info.data?.database === 'string' && <SharedBooksCard database={info.data.database} />}
          </>
        }
        side={
          <>
            {info.data?.host === 'desktop' && <DesktopCard />}
            <TillCard />
            <NodeCard />
            <DisplayCard />
          </>
        }
      />
    </Page>
  );
}
