import type { App, Session, WebContents } from 'electron';
import { isOwnDownload } from './downloads.ts';
import { isConsoleUrl } from './navigation.ts';

// The page gets everything from its own scheme and its message port, so it needs no network at all. The content policy
// forbids requests already. What stands here holds as well for what no policy sees (WebRTC, looking up names ahead),
// and when a hole in the browser gets around the policy. The node itself does not use Chromium's network.

/** No name ends in `.invalid` (RFC 6761 §6.4), so nothing ever listens there. */
const NOWHERE = 'http://proxy.invalid:9';
/** WebRTC uses no UDP but through the proxy, and its TCP goes through the proxy as well. */
const WEBRTC_POLICY = 'disable_non_proxied_udp';

/**
 * Tells whether the window may make a request: for the console's files, for a file that the page has made, and for
 * images in the page's own text.
 * @param developerTools only while developing
 */
export const mayRequest = (url: string, developerTools: boolean): boolean =>
  isConsoleUrl(url) || isOwnDownload(url) || url.startsWith('data:') || (developerTools && url.startsWith('devtools:'));

/** Takes names away from Chromium. It must be called before the app is ready. */
export function forbidNames({ commandLine }: Pick<App, 'commandLine'>): void {
  commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
}

/** The part of Electron's Session that is used. */
interface Network {
  readonly webRequest: {
    onBeforeRequest(listener: (request: { url: string }, answer: (said: { cancel: boolean }) => void) => void): void;
  };
  setProxy: Session['setProxy'];
}

/** Cancels every request of the windows that {@link mayRequest} does not allow, and leads the rest nowhere. */
export async function cutOff(session: Network, developerTools: boolean): Promise<void> {
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayRequest(url, developerTools) }));
  // Chromium would otherwise go past the proxy to this computer.
  await session.setProxy({ mode: 'fixed_servers', proxyRules: NOWHERE, proxyBypassRules: '<-loopback>' });
}

/** Keeps WebRTC of these contents from sending anything. */
export const forbidWebRtc = (contents: Pick<WebContents, 'setWebRTCIPHandlingPolicy'>): void =>
  contents.setWebRTCIPHandlingPolicy(WEBRTC_POLICY);
