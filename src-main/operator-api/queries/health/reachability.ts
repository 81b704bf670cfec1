import { z } from 'zod';
import type { ReachStep } from '../../../../src-shared/operator-contract/health.ts';
import {
  addressesOf,
  askOwn,
  certificateAt,
  isForEverybody,
  portAnswers,
  type SelfAnswer,
} from '../../../platform/outbound-http/own-address.ts';
import { isLoopback } from '../../../platform/settings/config.ts';
import { signedHeaders } from '../../../remote-wallets/request-signatures.ts';
import { walletAddresses } from '../../../wallet-addresses/tables.ts';
import type { OperatorContext } from '../../context.ts';

const DAY_MS = 24 * 60 * 60_000;
const WARN_MS = 14 * DAY_MS;
/** Signatures are refused when clocks differ by more. */
const MAX_SKEW_MS = 300_000;
const NOTED_SKEW_MS = 10_000;

type Name = ReachStep['name'];
type Found = Omit<ReachStep, 'name'>;

const good = (words: string): Found => ({ state: 'good', words, next: null });
const warning = (words: string, next: string): Found => ({ state: 'warning', words, next });
const bad = (words: string, next: string): Found => ({ state: 'bad', words, next });
const skipped: Found = { state: 'skipped', words: 'Not tried: an earlier step has to work first.', next: null };

/** What earlier steps have found out. */
interface Place {
  url: URL;
  port: number;
  /** Where the node answers; undefined until it is known to. */
  address: string | undefined;
  addresses: readonly string[];
}

type Step = (context: OperatorContext, place: Place) => Promise<Found>;

/** In the order in which a stranger's request goes. */
const STEPS: readonly [Name, Step][] = [
  ['public_url', async (context, place) => publicUrl(context, place)],
  ['dns', dns],
  ['port', port],
  ['tls', tls],
  ['clock', clock],
  ['signature', signature],
];

/**
 * Tries whether the world can reach the node by its public URL, one step after the other. From inside one's own network some routers do not let one out and in
 * again, so that a step may fail here that works from outside; the words say so.
 */
export async function* reach(context: OperatorContext, signal?: AbortSignal): AsyncGenerator<ReachStep, void, void> {
  const url = new URL(context.about.publicUrl);
  const place: Place = { url, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80), address: undefined, addresses: [] };
  let ended = false;
  for (const [name, look] of STEPS) {
    signal?.throwIfAborted();
    if (ended) {
      yield { name, ...skipped };
      continue;
    }
    yield { name, state: 'running', words: '', next: null };
    const found = await look(context, place);
    yield { name, ...found };
    ended = found.state === 'bad' && name !== 'clock';
  }
}

function publicUrl({ about, configuration }: OperatorContext, { url }: Place): Found {
  if (!configuration.publicUrlGiven)
    return warning(
      'No public address is set, so only this computer can reach the node.',
      'Get a name on the internet, point it at this computer, and start paydesk with --public-url https://that-name.',
    );
  if (isLoopback(url.hostname))
    return warning(`${about.publicUrl} leads every computer to itself.`, 'Start paydesk with --public-url and the name others know it by.');
  return good(`Others know the node as ${about.publicUrl}.`);
}

async function dns(_context: OperatorContext, place: Place): Promise<Found> {
  const { hostname } = place.url;
  const addresses = await addressesOf(hostname);
  place.addresses = addresses;
  if (addresses.length === 0)
    return bad(
      `The name ${hostname} has no address.`,
      'Where your domain is managed, add an A record (or AAAA, for IPv6) with the public address of this computer. It can take an hour to be seen everywhere.',
    );
  const list = addresses.join(', ');
  if (isLoopback(hostname)) return good(`${hostname} is this computer.`);
  if (!addresses.some(isForEverybody))
    return warning(
      `${hostname} leads to ${list}, which only your own network can reach.`,
      'That is right when your router or hosts file answers for your own network. If others cannot reach it, point the name at your public address.',
    );
  return good(`${hostname} leads to ${list}.`);
}

async function port(context: OperatorContext, place: Place): Promise<Found> {
  const tried = await Promise.all(place.addresses.map(async (address) => ({ address, answer: await portAnswers(address, place.port) })));
  const open = tried.find(({ answer }) => answer.open);
  place.address = open?.address;
  const closed = tried.filter(({ answer }) => !answer.open).map(({ address }) => address);
  if (open === undefined) {
    const refused = tried.some(({ answer }) => !answer.open && answer.code === 'ECONNREFUSED');
    return bad(
      refused ? `Nobody listens on port ${place.port} there.` : `Port ${place.port} does not answer.`,
      `Let your router or firewall pass port ${place.port} on to this computer, where paydesk listens on ${context.configuration.listen}. Some routers do not let you in by your own public address: then try from a phone without Wi-Fi.`,
    );
  }
  if (closed.length > 0)
    return warning(
      `Port ${place.port} answers, but not at ${closed.join(', ')}.`,
      'Visitors may be led to that address. Open the port there too, or take the address out of the records of your name.',
    );
  return good(`Port ${place.port} answers.`);
}

async function tls(context: OperatorContext, { url, port: number, address = '' }: Place): Promise<Found> {
  if (url.protocol === 'http:')
    return isLoopback(url.hostname)
      ? good('On this computer itself no encryption is needed.')
      : bad('Connections are not encrypted.', 'Start paydesk with a --public-url that begins with https://.');
  const shown = await certificateAt(address, number, url.hostname);
  if (shown === undefined)
    return bad(
      'No encrypted connection comes about.',
      'Give paydesk a certificate with --tls-cert and --tls-key, or put a program in front of it that has one; docs/server.md shows both.',
    );
  const remaining = shown.endsAt - context.clock.now();
  if (shown.refusal !== undefined) return bad(refusalWords(shown.refusal, url.hostname), refusalAdvice(shown.refusal));
  const days = Math.floor(remaining / DAY_MS);
  if (remaining <= WARN_MS)
    return warning(`The certificate is trusted, but it ends in ${days === 1 ? 'one day' : `${days} days`}.`, 'Renew it now.');
  return good(`The certificate is trusted, and good for another ${days} days.`);
}

function refusalWords(code: string, host: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'The certificate has ended, and programs of others refuse it.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate is for another name than ${host}.`;
  if (/SELF_SIGNED/.test(code)) return 'The certificate vouches for itself, and programs of others refuse it.';
  return `Programs of others refuse the certificate (${code}).`;
}

function refusalAdvice(code: string): string {
  if (/UNABLE_TO_(GET|VERIFY)/.test(code))
    return 'Part of the chain is missing: use the file with the full chain (often fullchain.pem) for --tls-cert.';
  return 'Get one for this name from an authority that browsers trust, such as Let’s Encrypt; it costs nothing.';
}

async function clock(context: OperatorContext, { url, address = '' }: Place): Promise<Found> {
  const answer = await askOwn(`${url.origin}/healthz`, address, { method: 'GET' });
  if (answer?.date === undefined) return bad('The node did not answer a simple request by its public address.', wrongWay(answer));
  if (answer.status !== 200)
    return bad(`By its public address something else than paydesk answers (status ${answer.status}).`, wrongWay(answer));
  const skew = Math.abs(answer.date - context.clock.now());
  const seconds = Math.round(skew / 1_000);
  if (skew > MAX_SKEW_MS)
    return bad(
      `The clocks on the way differ by ${seconds} seconds; signatures are refused from 300 on.`,
      'Set the clocks of this computer and the program in front of it by network time (NTP).',
    );
  if (skew > NOTED_SKEW_MS)
    return warning(
      `The clocks on the way differ by ${seconds} seconds.`,
      'Set the clocks of this computer and the program in front of it by network time (NTP).',
    );
  return good('The clocks on the way agree with this computer’s.');
}

const wrongWay = (answer: SelfAnswer | undefined): string =>
  answer === undefined
    ? 'Check that the program in front of paydesk passes requests on to it, and that nothing else listens on this port.'
    : 'Check that the name and port lead to this node and not to another program, and that every path is passed on.';

const Refusal = z.object({ error: z.object({ code: z.string() }) });

/** A request that is refused only after its signature was found right, so that nothing comes of it. */
async function signature(context: OperatorContext, { url, address = '' }: Place): Promise<Found> {
  const [account] = await context.database.read.select().from(walletAddresses).limit(1);
  if (account === undefined)
    return { state: 'skipped', words: 'Not tried: there is no account yet in whose name to sign.', next: 'Open an account first.' };
  const identifier = context.walletAddresses.urlOf(account);
  const target = `${url.origin}/auth`;
  const body = JSON.stringify({
    access_token: { access: [{ type: 'outgoing-payment', actions: ['read'], identifier }] },
    client: identifier,
  });
  const headers = signedHeaders({ method: 'POST', url: target, body }, context.nodeKeys.of(account.id), context.clock.now());
  const answer = await askOwn(target, address, { method: 'POST', headers, body });
  const refusal = Refusal.safeParse(answer?.body);
  if (answer?.status === 400 && refusal.success && refusal.data.error.code === 'invalid_request')
    return good('A signed request comes through unchanged, and its signature is found right.');
  return bad(
    refusal.success
      ? 'A signed request arrives changed, so that its signature is not right any more.'
      : `A signed request does not arrive${answer === undefined ? '' : ` (status ${answer.status})`}.`,
    'The program in front of paydesk must pass on method, path, query, body and the headers Signature, Signature-Input, Content-Digest and Authorization as they are. docs/server.md shows how.',
  );
}
