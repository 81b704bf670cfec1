import { ExchangeFees } from '../exchange/exchange-fees.ts';
import { FollowedRates } from '../exchange/sources/followed-rates.ts';
import { RateSources } from '../exchange/sources/rate-sources.ts';
import { RatesWorker } from '../exchange/sources/rates-worker.ts';
import type { Core } from '../platform/core.ts';
import type { OutboundText } from '../platform/outbound-http/outbound-http.ts';
import type { OwnReplica } from '../platform/replicas/own-replica.ts';

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  http: OutboundText;
  replica: Pick<OwnReplica, 'doesChores'>;
}

/** Wires the sources of rates, what follows them, and the fees. It does not start the worker. */
export function assembleRateSources({ replica, http, ...parts }: Parts) {
  const rateSources = new RateSources({ ...parts, http });
  const worker = new RatesWorker({ ...parts, sources: rateSources, isMine: () => replica.doesChores });
  return { rateSources, followedRates: new FollowedRates(parts), exchangeFees: new ExchangeFees(parts), worker };
}
