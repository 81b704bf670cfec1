import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type Clock, systemClock } from '../clock.ts';

/** One address of a host. `family`: 4 or 6. */
interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Finds every address of a host name. It rejects when there is none, and when `signal` is aborted before. */
export type LookUp = (hostname: string, signal: AbortSignal) => Promise<readonly HostAddress[]>;

/** The longest time that name servers may take for one name. */
const LOOK_UP_MS = 2_000;
/** The wait for one name server before the node asks the same or the next one again. */
const TRY_MS = 650;
/** The wait for the addresses of the other family once those of one family are there (RFC 8305 §3). */
const GRACE_MS = 100;
/** The longest and the shortest time for which callers share an answer, whatever its time to live. */
const MAX_KEPT_MS = 60_000;
const MIN_KEPT_MS = 1_000;
const MAX_ANSWERS = 1_000;

interface Search {
  readonly addresses: Promise<readonly HostAddress[]>;
  readonly stop: AbortController;
  callers: number;
}

interface Parts {
  clock?: Clock;
  /** Name servers as `address:port`. Without them the node asks those of the system. */
  servers?: readonly string[];
  hostsFile?: string;
}

/**
 * Looks host names up itself, at the name servers of the system. `dns.lookup` would occupy one of the few threads that
 * files, scrypt and every other look-up need, for as long as a name server is silent, and nothing could end it.
 *
 * The hosts file comes first, and `localhost` is this computer (RFC 6761 §6.3). Callers that want the same name at the
 * same time share one look-up, which ends when the last of them has gone. An answer is kept for its time to live, and
 * for a minute at most. A failure is not kept.
 *
 * Every look-up has a `Resolver` of its own, because `cancel` ends all look-ups of a resolver, and because a new one
 * reads the name servers anew after the computer has changed its network. Its own limits are not exact
 * (https://github.com/nodejs/node/issues/65340), so a timer ends the look-up.
 */
export class HostNames {
  readonly #parts: Required<Pick<Parts, 'clock' | 'hostsFile'>> & Parts;
  readonly #searches = new Map<string, Search>();
  readonly #answers = new Map<string, { addresses: readonly HostAddress[]; until: number }>();

  constructor(parts: Parts = {}) {
    this.#parts = { clock: systemClock, hostsFile: HOSTS_FILE, ...parts };
  }

  readonly lookUp: LookUp = async (text, signal) => {
    const hostname = text.toLowerCase().replace(/\.$/, '');
    signal.throwIfAborted();
    const known = this.#answers.get(hostname);
    if (known !== undefined && this.#parts.clock.monotonic() < known.until) return known.addresses;
    const search = this.#searches.get(hostname) ?? this.#start(hostname);
    search.callers += 1;
    const gone = Promise.withResolvers<never>();
    const leave = (): void => gone.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([search.addresses, gone.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
      search.callers -= 1;
      if (search.callers === 0) this.#end(hostname, search);
    }
  };

  #start(hostname: string): Search {
    const stop = new AbortController();
    const search = { addresses: this.#find(hostname, stop.signal), stop, callers: 0 };
    this.#searches.set(hostname, search);
    return search;
  }

  #end(hostname: string, search: Search): void {
    search.stop.abort();
    if (this.#searches.get(hostname) === search) this.#searches.delete(hostname);
  }

  async #find(hostname: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
    const written = addressesIn(await readFile(this.#parts.hostsFile, 'utf8').catch(() => ''), hostname);
    if (written.length > 0) return written;
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOCALHOST;
    const { addresses, ttlMs } = await askNameServers(hostname, signal, this.#parts.servers);
    this.#keep(hostname, addresses, Math.min(Math.max(ttlMs, MIN_KEPT_MS), MAX_KEPT_MS));
    return addresses;
  }

  #keep(hostname: string, addresses: readonly HostAddress[], forMs: number): void {
    this.#answers.delete(hostname);
    this.#answers.set(hostname, { addresses, until: this.#parts.clock.monotonic() + forMs });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MAX_ANSWERS) break;
      this.#answers.delete(oldest);
    }
  }
}

const LOCALHOST: readonly HostAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** The addresses that a hosts file gives a name (hosts(5)). */
function addressesIn(hosts: string, hostname: string): HostAddress[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return names.includes(hostname) && isIP(address) !== 0 ? [{ address, family: isIP(address) }] : [];
  });
}

/** Asks for IPv4 and IPv6 addresses at the same time. One family is enough. */
async function askNameServers(
  hostname: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<{ addresses: readonly HostAddress[]; ttlMs: number }> {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: TRY_MS, tries: 2, maxTimeout: TRY_MS });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  let timer = setTimeout(cancel, LOOK_UP_MS);
  signal.addEventListener('abort', cancel, { once: true });
  const ask = async (family: 4 | 6) => {
    const found = await (family === 4 ? resolver.resolve4(hostname, { ttl: true }) : resolver.resolve6(hostname, { ttl: true }));
    clearTimeout(timer);
    timer = setTimeout(cancel, GRACE_MS);
    return found.map(({ address, ttl }) => ({ address, family, ttl }));
  };
  try {
    const [four, six] = await Promise.allSettled([ask(4), ask(6)]);
    const found = [four, six].flatMap((asked) => (asked.status === 'fulfilled' ? asked.value : []));
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    const ttlMs = Math.min(...found.map(({ ttl }) => ttl)) * 1_000;
    return { addresses: found.map(({ address, family }) => ({ address, family })), ttlMs };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}
