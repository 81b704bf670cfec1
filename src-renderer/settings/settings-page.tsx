import { useQuery } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Allowed } from '../components/page/allowed.tsx';
import { Page } from '../components/page/page.tsx';
import { Split } from '../components/page/split.tsx';
import { queries } from '../transport/operator-client.ts';
import { ApiKeysCard } from './api-keys/api-keys-card.tsx';
import { BackupsCard } from './backups-card.tsx';
import { DesktopCard } from './desktop-card.tsx';
import { DisplayCard } from './display-card.tsx';
import { LockCard } from './lock-card.tsx';
import { NodeCard } from './node-card.tsx';
import { NoticesCard } from './notices-card.tsx';
import { AppPeopleCard } from './people/app-people-card.tsx';
import { PeopleCard } from './people/people-card.tsx';
import { PrinterCard } from './printer/printer-card.tsx';
import { RestoreCard } from './restore-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SharedBooksCard } from './shared-books-card.tsx';
import { ShopCard } from './shop/shop-card.tsx';
import { TillCard } from './till-card.tsx';
import { TillsCard } from './tills/tills-card.tsx';
import { WaysCard } from './ways/ways-card.tsx';

/** The screen of all settings: backups, the lock, the desktop app and the node. */
export function SettingsPage() {
  const info = useQuery(queries.node.info.queryOptions());
  const isServed = info.data?.host === 'headless';
  return (
    <Page title={messages.settings.title}>
      <Split
        main={
          <>
            <ShopCard />
            <Allowed to="tills.list">
              <TillsCard />
            </Allowed>
            <Allowed to="printing.get">
              <PrinterCard />
            </Allowed>
            <Allowed to="lock.protect">
              <LockCard />
            </Allowed>
            {isServed && (
              <Allowed to="people.list">
                <PeopleCard />
              </Allowed>
            )}
            {info.data?.host === 'desktop' && <AppPeopleCard />}
            {isServed && <WaysCard />}
            {isServed && <SessionsCard />}
            {isServed && (
              <Allowed to="apiKeys.list">
                <ApiKeysCard />
              </Allowed>
            )}
            {info.data !== undefined && (
              <Allowed to="backups.make">
                {info.data.database !== null && <SharedBooksCard database={info.data.database} />}
                <BackupsCard isShared={info.data.database !== null} />
              </Allowed>
            )}
            {info.data?.database === null && (
              <Allowed to="restore.begin">
                <RestoreCard />
              </Allowed>
            )}
          </>
        }
        side={
          <>
            {info.data?.host === 'desktop' && (
              <Allowed to="desktop.change">
                <DesktopCard />
              </Allowed>
            )}
            <Allowed to="settings.setTill">
              <TillCard />
            </Allowed>
            <Allowed to="settings.node">
              <NodeCard />
            </Allowed>
            {isServed && <NoticesCard />}
            <DisplayCard />
          </>
        }
      />
    </Page>
  );
}
