import { messages } from '../../src-shared/words/console/messages.ts';

/**
 * The frame before the page knows anything. index.html contains the same frame, so that it is painted before this code
 * is there.
 */
export function Opening() {
  return (
    <div className="opening" role="status" aria-label={messages.common.session.opening}>
      <div className="opening-side">
        <img src="/favicon.svg" alt="" width={28} height={28} />
        <b>{messages.common.product}</b>
      </div>
      <div className="opening-main">
        <div />
        <div />
        <div />
      </div>
    </div>
  );
}
