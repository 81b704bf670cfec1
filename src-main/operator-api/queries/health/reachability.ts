import type { ReachFinding, ReachStep } from '../../../../src-shared/operator-contract/reachability.ts';
import { CERTIFICATE_ENDS_SOON_MS, DAY_MS } from '../../../../src-shared/warning-times.ts';
import { z } from '../../../../src-shared/zod.ts';
import { addressesOf, askOwn, certificateAt, isForEverybody, portAnswers } from '../../../platform/outbound-http/own-address.ts';
import { isLoopback } from '../../../platform/settings/config.ts';
import { signedHeaders } from '../../../remote-wallets/request-signatures.ts';
import { walletAddresses } from '../../../wallet-addresses/tables.ts';
import type { OperatorContext } from '../../context.ts';

/** The node refuses signatures when the clocks differ by more than this. */
const MAX_SKEW_MS = 300_000;
const NOTED_SKEW_MS = 10_000;

type Name = ReachStep['name'];
type Found = Pick<ReachStep, 'state' | 'finding'>;

const good = (finding: ReachFinding): Found => ({ state: 'good', finding });
const warning = (finding: ReachFinding): Found => ({ state: 'warning', finding });
const bad = (finding: ReachFinding): Found => ({ state: 'bad', finding });
const skipped = (finding: ReachFinding): Found => ({ state: 'skipped', finding });

/** What the earlier steps have found. */
interface Place {
  url: URL;
  port: number;
  /** The address at which the node answers; undefined until a step has found it. */
  address: string | undefined;
  addresses: readonly string[];
}

type Step = (context: OperatorContext, place: Place) => Promise<Found>;

/** The steps, in the order in which a stranger's request takes them. */
const STEPS: readonly [Name, Step][] = [
  ['public_url', async (context, place) => publicUrl(context, place)],
  ['dns', dns],
  ['port', port],
  ['tls', tls],
  ['clock', clock],
  ['signature', signature],
];

/**
 * Checks whether the world can reach the node by its public URL, step by step. Some routers do not let a request leave
 * their own network and come back in. A step may then fail here although it works from outside, and its words say so.
 */
export async function* reach(context: OperatorContext, signal?: AbortSignal): AsyncGenerator<ReachStep, void, void> {
  const url = new URL(context.about.publicUrl);
  const place: Place = { url, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80), address: undefined, addresses: [] };
  let ended = false;
  let allReached = true;
  for (const [name, look] of STEPS) {
    signal?.throwIfAborted();
    if (ended) {
      yield { name, ...skipped({ code: 'earlier_step' }) };
      continue;
    }
    yield { name, state: 'running', finding: null };
    const found = await look(context, place);
    yield { name, ...found };
    ended = found.state === 'bad' && name !== 'clock';
    allReached &&= found.state !== 'bad';
  }
  context.lastLook.note(allReached ? 'reachable' : 'unreachable');
}

function publicUrl({ about, configuration }: OperatorContext, { url }: Place): Found {
  if (!configuration.publicUrlGiven) return warning({ code: 'url_not_given' });
  return isLoopback(url.hostname)
    ? warning({ code: 'url_of_this_computer', url: about.publicUrl })
    : good({ code: 'url_public', url: about.publicUrl });
}

async function dns(_context: OperatorContext, place: Place): Promise<Found> {
  const { hostname: host } = place.url;
  const addresses = await addressesOf(host);
  place.addresses = addresses;
  if (addresses.length === 0) return bad({ code: 'no_address', host });
  if (isLoopback(host)) return good({ code: 'own_computer', host });
  return addresses.some(isForEverybody)
    ? good({ code: 'public_address', host, addresses: [...addresses] })
    : warning({ code: 'own_network', host, addresses: [...addresses] });
}

async function port(context: OperatorContext, place: Place): Promise<Found> {
  const { port: number } = place;
  const tried = await Promise.all(place.addresses.map(async (address) => ({ address, answer: await portAnswers(address, number) })));
  const open = tried.find(({ answer }) => answer.open);
  place.address = open?.address;
  if (open === undefined) {
    const refused = tried.some(({ answer }) => !answer.open && answer.code === 'ECONNREFUSED');
    return bad({ code: refused ? 'port_refused' : 'port_silent', port: number, listen: context.configuration.listen });
  }
  const closed = tried.filter(({ answer }) => !answer.open).map(({ address }) => address);
  return closed.length > 0 ? warning({ code: 'port_partly', port: number, closed }) : good({ code: 'port_open', port: number });
}

async function tls(context: OperatorContext, { url, port: number, address = '' }: Place): Promise<Found> {
  if (url.protocol === 'http:') return isLoopback(url.hostname) ? good({ code: 'tls_not_needed' }) : bad({ code: 'not_encrypted' });
  const shown = await certificateAt(address, number, url.hostname);
  if (shown === undefined) return bad({ code: 'no_tls' });
  const remaining = shown.endsAt - context.clock.now();
  if (shown.refusal !== undefined) return bad({ code: 'certificate_refused', refusal: shown.refusal, host: url.hostname });
  const days = Math.floor(remaining / DAY_MS);
  return remaining <= CERTIFICATE_ENDS_SOON_MS
    ? warning({ code: 'certificate_ends_soon', days })
    : good({ code: 'certificate_trusted', days });
}

async function clock(context: OperatorContext, { url, address = '' }: Place): Promise<Found> {
  const answer = await askOwn(`${url.origin}/healthz`, address, { method: 'GET' });
  if (answer?.date === undefined) return bad({ code: answer === undefined ? 'no_answer' : 'no_date' });
  if (answer.status !== 200) return bad({ code: 'other_program', status: answer.status });
  const skew = Math.abs(answer.date - context.clock.now());
  const seconds = Math.round(skew / 1_000);
  if (skew > MAX_SKEW_MS) return bad({ code: 'clocks_far_apart', seconds });
  return skew > NOTED_SKEW_MS ? warning({ code: 'clocks_differ', seconds }) : good({ code: 'clocks_agree' });
}

const Refusal = z.object({ error: z.object({ code: z.string() }) });

/**
 * Sends a request that the node refuses only after it has accepted the signature, so that the request changes nothing.
 */
async function signature(context: OperatorContext, { url, address = '' }: Place): Promise<Found> {
  const [account] = await context.database.read.select().from(walletAddresses).limit(1);
  if (account === undefined) return skipped({ code: 'no_account' });
  const identifier = context.walletAddresses.urlOf(account);
  const target = `${url.origin}/auth`;
  const body = JSON.stringify({
    access_token: { access: [{ type: 'outgoing-payment', actions: ['read'], identifier }] },
    client: identifier,
  });
  const headers = signedHeaders({ method: 'POST', url: target, body }, context.nodeKeys.of(account.id), context.clock.now());
  const answer = await askOwn(target, address, { method: 'POST', headers, body });
  const refusal = Refusal.safeParse(answer?.body);
  if (answer?.status === 400 && refusal.success && refusal.data.error.code === 'invalid_request') return good({ code: 'signature_right' });
  return bad(refusal.success ? { code: 'signature_changed' } : { code: 'signature_lost', status: answer?.status ?? null });
}
