import { IconCloudOff } from '@tabler/icons-react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { connection } from '../../transport/live.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import classes from './connection-banner.module.css';

/**
 * Says that the connection to the node is lost. It lies over the page's upper edge, so that nothing moves when it comes
 * and goes.
 */
export function ConnectionBanner() {
  const state = useStateCell(connection);
  return (
    <div role="status" className={classes.place}>
      {state === 'lost' && (
        <div className={classes.banner} data-testid="connection-lost">
          <IconCloudOff size={20} aria-hidden className={classes.icon} />
          <span>
            <strong>{messages.common.connection.lost}</strong> {messages.common.connection.lostAdvice}
          </span>
        </div>
      )}
    </div>
  );
}
