import type { Logger } from '../platform/logs/logger.ts';
import type { JsonAnswer, OutboundHttp, OutboundProblem } from '../platform/outbound-http/outbound-http.ts';
import type { Result } from '../platform/result.ts';

/** Logs which server the node asked and how the request ended. The log has no queries, headers or bodies. */
export function loggedHttp(http: OutboundHttp, log: Logger): OutboundHttp {
  const logged = async (method: string, url: string, asking: Promise<Result<JsonAnswer, OutboundProblem>>) => {
    const answer = await asking;
    const { origin, pathname } = URL.parse(url) ?? {};
    log.debug(
      { method, origin, pathname, ...(answer.ok ? { status: answer.value.status } : { problem: answer.error }) },
      'asked elsewhere',
    );
    return answer;
  };
  return {
    getJson: (url, options) => logged('GET', url, http.getJson(url, options)),
    requestJson: (method, url, request) => logged(method, url, http.requestJson(method, url, request)),
    close: () => http.close(),
  };
}
