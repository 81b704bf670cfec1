import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { homedir, hostname } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MAX_MOVED } from '../../../src-shared/amounts.ts';
import { isNodeAddress } from '../../../src-shared/ilp-address.ts';
import {
  commandHelp,
  commandOptionHelp,
  helpWords,
  optionHelp,
  settingRefusals as refusals,
} from '../../../src-shared/words/terminal/settings.ts';
import { z } from '../../../src-shared/zod.ts';
import { ReportedError } from '../errors.ts';
import { LOG_LEVELS, type LogLevel } from '../logs/logger.ts';
import type { TlsFiles } from '../public-address/tls-certificate.ts';
import { LEAST_ARCHIVE_DAYS, LEAST_KEPT_DAYS, MOST_KEPT_DAYS } from '../retention/rule.ts';
import type { SealKeySource } from '../secrets/seal-key.ts';
import { COMMANDS, type CommandName, type CommandSyntax } from './commands.ts';
import { DatabaseAddress, withoutLogins } from './database-address.ts';
import { LANGUAGE_FLAG, languageNamed } from './message-language.ts';

/** The host and port on which a listener accepts connections. */
export interface Listen {
  host: string;
  /** The port. With 0 the operating system chooses one. */
  port: number;
}

/**
 * The bodies in which `updatedAt` appears: where current official clients accept it, or everywhere (decisions.md#D-10).
 */
export type UpdatedAtInBody = 'compatible' | 'always';

/** The settings with which a node starts. */
export interface Config {
  host: 'desktop' | 'headless';
  dataDir: string;
  /** The shared database of a node with several processes. Without it the books are in the data folder. */
  database: DatabaseAddress | undefined;
  /** The source of the key that seals the node's keys in a shared database. */
  sealKey: SealKeySource;
  /** The operator's name for this process, among those that share a database. */
  replicaName: string;
  listen: Listen;
  /** It is undefined until the operator sets it. Without it only this computer can reach the node. */
  publicUrl: string | undefined;
  /**
   * The files of the node's own certificate. Without them the public listener speaks plain http, to this computer or a
   * declared proxy only. In development it speaks plain http to everybody.
   */
  tls: TlsFiles | undefined;
  /** The address at which the console of a headless node listens. It is undefined on the desktop. */
  console: Listen | undefined;
  /**
   * The https origin of the console on the network. Declared proxies serve it, or the node with its own certificate.
   * Without it the console is not on the network.
   */
  consoleUrl: string | undefined;
  /** The setup code that the operator has chosen for the first visit over the network. It is never logged. */
  setUpCode: string | undefined;
  logLevel: LogLevel;
  /** Allows http and loopback addresses of other wallets, so that the operator can try paydesk out on one computer. */
  development: boolean;
  /** How long an access token lives, in seconds. */
  tokenLifetime: number;
  /** The node keeps for this many days what has ended and belongs to no payment (decisions.md#D-68). */
  keepDays: number;
  /** The details of a payment that has ended go into the archive after this many days (decisions.md#D-80). */
  archiveDays: number;
  updatedAtInBody: UpdatedAtInBody;
  /** The most requests a second from one network address. A failed request counts as 20. The value 0 means no limit. */
  addressRate: number;
  /** The most signed requests a second from one client. The value 0 means no limit. */
  clientRate: number;
  /** The proxies that the node believes when they tell which address a request comes from. */
  trustedProxies: readonly string[];
  /** The ILP address that a peer has assigned to the node. It is undefined when the node makes its own. */
  ilpAddress: string | undefined;
  /** The most that one ILP packet carries, in smallest units. Larger payments go in several packets. */
  maxPacketAmount: bigint | undefined;
  /** The passphrase that encrypts the file of the node's secrets. It is never logged. */
  secretsPassphrase: string | undefined;
  /** The passphrase for the commands that make and restore backups. */
  backupPassphrase: string | undefined;
  /** The place where the node dies. Crash tests alone set it; see fail-points.ts. */
  failPoint: string | undefined;
}

/** What each option is for, in the language that is spoken now. */
const help = () => optionHelp(LOG_LEVELS);
type FlagName = keyof ReturnType<typeof help>;

interface Flag {
  name: FlagName;
  value?: string;
  default?: string;
  /** A person types such a flag as a command, so it has no environment variable. */
  command?: true;
}

const FLAGS: readonly Flag[] = [
  { name: 'data-dir', value: 'DIR' },
  { name: 'database', value: 'URL' },
  { name: 'key-file', value: 'FILE' },
  { name: 'key-command', value: 'COMMAND' },
  { name: 'replica-name', value: 'NAME' },
  { name: 'listen', value: 'HOST:PORT', default: '127.0.0.1:3000' },
  { name: 'public-url', value: 'URL' },
  { name: 'tls-cert', value: 'FILE' },
  { name: 'tls-key', value: 'FILE' },
  { name: 'console', value: 'HOST:PORT', default: '127.0.0.1:3001' },
  { name: 'console-url', value: 'URL' },
  { name: 'setup-code-file', value: 'FILE' },
  { name: 'log-level', value: 'LEVEL', default: 'info' },
  { name: 'token-lifetime', value: 'SECONDS', default: '600' },
  { name: 'keep-days', value: 'DAYS', default: '30' },
  { name: 'archive-days', value: 'DAYS', default: '90' },
  { name: 'updated-at-in-body', value: 'WHERE', default: 'compatible' },
  { name: 'address-rate', value: 'NUMBER', default: '20000' },
  { name: 'client-rate', value: 'NUMBER', default: '20000' },
  { name: 'trusted-proxies', value: 'ADDRESSES' },
  { name: 'max-packet-amount', value: 'UNITS' },
  { name: 'ilp-address', value: 'ADDRESS' },
  { name: 'secrets-passphrase-file', value: 'FILE' },
  { name: 'backup-passphrase-file', value: 'FILE' },
  { name: 'development' },
  { name: LANGUAGE_FLAG, value: 'TAG' },
  { name: 'help', command: true },
  { name: 'version', command: true },
];

const envName = (flag: string): string => `PAYDESK_${flag.toUpperCase().replaceAll('-', '_')}`;

export function helpText(program: string): string {
  const helps = help();
  const lines = FLAGS.flatMap((flag) => {
    const left = `  --${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}`;
    const standard = flag.default === undefined ? '' : helpWords.standard({ value: flag.default });
    return [`${left.padEnd(32)} ${flag.command ? '' : envName(flag.name)}`.trimEnd(), `      ${helps[flag.name]}${standard}`];
  });
  return [
    helpWords.usage({ program }),
    helpWords.usageOfCommand({ program }),
    '',
    helpWords.commands,
    ...COMMANDS.flatMap(({ name, operands, options }) => [
      `  ${[name, ...operands].join(' ').padEnd(32)} ${commandHelp[name]}`,
      ...options.map((option) => `      ${`--${option.name} ${option.value}`.padEnd(28)} ${commandOptionHelp[option.name]}`),
    ]),
    '',
    helpWords.options,
    '',
    ...lines,
  ].join('\n');
}

/** The data folder of a user who names none. */
function defaultDataDir(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'paydesk');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'paydesk');
  return join(
    env.XDG_DATA_HOME !== undefined && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(homedir(), '.local', 'share'),
    'paydesk',
  );
}

type CommandLine =
  | { command: 'run'; config: Config }
  | { command: CommandName; operands: readonly string[]; options: Readonly<Record<string, string>>; config: Config }
  | { command: 'help' | 'version' };

/**
 * Reads the settings. A flag wins over an environment variable, which wins over the default.
 * @throws ReportedError that names the setting that is wrong and says what it should look like.
 */
export function readCommandLine(argv: readonly string[], env: NodeJS.ProcessEnv = process.env): CommandLine {
  const known: readonly { name: string; value?: string }[] = [...FLAGS, ...COMMANDS.flatMap((command) => command.options)];
  const options = Object.fromEntries(
    known.map(({ name, value }) => [name, { type: value === undefined ? ('boolean' as const) : ('string' as const) }]),
  );
  const { values, positionals } = parseOrExplain(argv, options);
  const given = (name: FlagName): string | undefined => {
    // The text is empty when a script says --data-dir "$DIR" and $DIR is not set. The node must not use another folder
    // then.
    if (values[name] === '') throw new ReportedError(refusals.empty({ name }));
    const value = values[name] ?? env[envName(name)];
    return value === undefined || value === '' ? FLAGS.find((flag) => flag.name === name)?.default : String(value);
  };
  if (values.help === true) return { command: 'help' };
  if (values.version === true) return { command: 'version' };
  const config: Config = {
    host: 'headless',
    dataDir: resolve(given('data-dir') ?? defaultDataDir(env)),
    database: readDatabase(given('database')),
    sealKey: { text: env.PAYDESK_KEY === '' ? undefined : env.PAYDESK_KEY, file: given('key-file'), command: given('key-command') },
    replicaName: read('replica-name', z.string().max(MOST_NAME), given('replica-name') ?? hostname().slice(0, MOST_NAME)),
    listen: readListen('listen', given('listen')),
    publicUrl: readPublicUrl(given('public-url')),
    tls: readTls(given('tls-cert'), given('tls-key')),
    ...readConsole({
      console: given('console'),
      url: given('console-url'),
      publicUrl: given('public-url'),
      isEncrypted: given('trusted-proxies') !== undefined || given('tls-cert') !== undefined,
    }),
    setUpCode: readSetUpCode(given('setup-code-file')),
    logLevel: read('log-level', z.enum(LOG_LEVELS), given('log-level')),
    development: read('development', z.stringbool().default(false), given('development')),
    tokenLifetime: read('token-lifetime', z.coerce.number().int().min(1).max(86_400), given('token-lifetime')),
    keepDays: read('keep-days', z.coerce.number().int().min(LEAST_KEPT_DAYS).max(MOST_KEPT_DAYS), given('keep-days')),
    archiveDays: read('archive-days', z.coerce.number().int().min(LEAST_ARCHIVE_DAYS).max(MOST_KEPT_DAYS), given('archive-days')),
    updatedAtInBody: read('updated-at-in-body', z.enum(['compatible', 'always']), given('updated-at-in-body')),
    addressRate: read('address-rate', PerSecond, given('address-rate')),
    clientRate: read('client-rate', PerSecond, given('client-rate')),
    trustedProxies: readProxies(given('trusted-proxies')),
    maxPacketAmount: read('max-packet-amount', z.coerce.bigint().positive().max(MAX_MOVED).optional(), given('max-packet-amount')),
    ilpAddress: readIlpAddress(given('ilp-address')),
    secretsPassphrase: readPassphrase('secrets-passphrase-file', given('secrets-passphrase-file'), env.PAYDESK_SECRETS_PASSPHRASE),
    backupPassphrase: readPassphrase('backup-passphrase-file', given('backup-passphrase-file'), env.PAYDESK_BACKUP_PASSPHRASE),
    failPoint: env.PAYDESK_FAIL_POINT,
  };
  // It is spoken already; see message-language.ts.
  read(LANGUAGE_FLAG, Language, given(LANGUAGE_FLAG));
  const [name = 'run', ...operands] = positionals;
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined && (name !== 'run' || operands.length > 0)) {
    throw new ReportedError(refusals.noCommand({ typed: withoutLogins(positionals.join(' ')) }));
  }
  if (operands.length !== (command?.operands.length ?? 0)) {
    throw new ReportedError(refusals.typeLike({ command: [name, ...(command?.operands ?? [])].join(' ') }));
  }
  const own = commandOptions(command, values);
  if (command === undefined) refusePlainHttp(config);
  return command === undefined ? { command: 'run', config } : { command: command.name, operands, options: own, config };
}

/** @throws ReportedError when an option of another command was typed. */
function commandOptions(command: CommandSyntax | undefined, values: Readonly<Record<string, unknown>>): Record<string, string> {
  const own = new Set(command?.options.map(({ name }) => name));
  const given = COMMANDS.flatMap(({ options }) => options).filter(({ name }) => values[name] !== undefined);
  const foreign = given.find(({ name }) => !own.has(name));
  if (foreign !== undefined) throw new ReportedError(refusals.otherCommand({ option: foreign.name, command: command?.name ?? 'run' }));
  return Object.fromEntries(given.map(({ name }) => [name, String(values[name])]));
}

function parseOrExplain(argv: readonly string[], options: Record<string, { type: 'boolean' | 'string' }>) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    // Only the first sentence of the message of Node.js helps a person at a terminal.
    const [reason] = error instanceof Error ? error.message.split(/[.\n]/) : [];
    throw new ReportedError(refusals.unreadable(reason));
  }
}

function read<T>(name: FlagName, schema: z.ZodType<T>, value: string | undefined): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ReportedError(refusals.wrongValue({ name, value: String(value), help: help()[name] }));
}

/** The fewest letters and digits of a setup code. */
const LEAST_SET_UP_CODE = 16;
/** The longest name of a replica, in characters. */
const MOST_NAME = 100;
const Language = z
  .string()
  .refine((name) => languageNamed(name) !== undefined)
  .optional();
const PerSecond = z.coerce.number().int().min(0).max(1_000_000);

function readProxies(value: string | undefined): string[] {
  const proxies = value?.split(',').map((part) => part.trim()) ?? [];
  for (const proxy of proxies) {
    const [address = '', prefix, ...rest] = proxy.split('/');
    const bits = isIP(address) === 4 ? 32 : 128;
    const isPlain = isIP(address) !== 0 && !/[%.].*:|:.*[%.]/.test(address);
    const valid = isPlain && rest.length === 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
    if (valid && prefix !== undefined && Number(prefix) === 0) throw new ReportedError(refusals.proxyForAll({ proxy }));
    if (!valid) throw new ReportedError(refusals.proxyWrong({ proxy }));
  }
  return proxies;
}

/** Reads an ILP address (Interledger RFC 15). It is short enough that addresses of receivers below it are valid too. */
function readIlpAddress(value: string | undefined): string | undefined {
  const isValid = value === undefined || isNodeAddress(value);
  if (isValid && value !== 'peer.config' && !value?.startsWith('peer.config.')) return value;
  throw new ReportedError(refusals.ilpAddressWrong({ address: value }));
}

function readListen(name: string, value: string | undefined): Listen {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(value ?? '');
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || port > 65_535) throw new ReportedError(refusals.listenWrong({ name, value: String(value) }));
  return { host, port };
}

/** The value is part of no error, because it may hold a password. */
function readDatabase(value: string | undefined): DatabaseAddress | undefined {
  if (value === undefined) return undefined;
  const address = DatabaseAddress.read(value);
  if (address === undefined) throw new ReportedError(refusals.databaseWrong);
  return address;
}

/** Reads a passphrase from a file. Where there are no files, as in a container, an environment variable holds it. */
function readPassphrase(name: string, file: string | undefined, fromEnvironment: string | undefined): string | undefined {
  if (file === undefined) return fromEnvironment === '' ? undefined : fromEnvironment;
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    throw new ReportedError(refusals.passphraseUnreadable({ name, file }));
  }
  const [passphrase = ''] = content.split(/\r?\n/);
  if (passphrase === '') throw new ReportedError(refusals.passphraseEmpty({ name, file }));
  return passphrase;
}

/** A chosen code is the only thing that keeps strangers from the first visit, so it is not short. */
function readSetUpCode(file: string | undefined): string | undefined {
  const code = readPassphrase('setup-code-file', file, undefined);
  if (code === undefined || code.replaceAll(/[^A-Za-z0-9]/g, '').length >= LEAST_SET_UP_CODE) return code;
  throw new ReportedError(refusals.setUpCodeShort({ count: LEAST_SET_UP_CODE }));
}

function readTls(cert: string | undefined, key: string | undefined): TlsFiles | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new ReportedError(refusals.halfOfTls);
  return { cert: resolve(cert), key: resolve(key) };
}

/**
 * Access tokens must not cross a network unencrypted. A node that listens to other computers needs a certificate, or a
 * proxy in front of it that has one.
 * @throws ReportedError when the node would have neither.
 */
function refusePlainHttp({ listen, tls, trustedProxies, development }: Config): void {
  if (tls !== undefined || isLoopback(listen.host) || trustedProxies.length > 0 || development) return;
  throw new ReportedError(refusals.plainHttp({ host: listen.host }));
}

/** Tells whether a host is this computer. An IPv6 address may stand in brackets, as in a URL. */
export const isLoopback = (host: string): boolean => ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host);

interface ConsoleTexts {
  console: string | undefined;
  url: string | undefined;
  publicUrl: string | undefined;
  /** Whether there is a declared proxy or a certificate of the node's own. */
  isEncrypted: boolean;
}

/**
 * The address at which the console listens, and its URL on the network.
 * @throws ReportedError when its connection would cross the network unencrypted.
 */
function readConsole({ console, url, publicUrl, isEncrypted }: ConsoleTexts): Pick<Config, 'consoleUrl'> & { console: Listen } {
  const listen = readListen('console', console);
  if (url === undefined) {
    if (isLoopback(listen.host)) return { console: listen, consoleUrl: undefined };
    throw new ReportedError(refusals.consoleElsewhere);
  }
  const consoleUrl = bareUrl(url);
  if (consoleUrl?.protocol !== 'https:' || isIP(consoleUrl.hostname.replaceAll(/[[\]]/g, '')) !== 0) {
    throw new ReportedError(refusals.consoleUrlWrong({ value: url }));
  }
  if (!isEncrypted) throw new ReportedError(refusals.consoleUrlAlone);
  // The public listener is for everybody. Its pages must not be those of the console's own origin.
  if (publicUrl !== undefined && bareUrl(publicUrl)?.host === consoleUrl.host) throw new ReportedError(refusals.consoleUrlPublic);
  return { console: listen, consoleUrl: consoleUrl.origin };
}

/** A URL that is an origin and no more. */
function bareUrl(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isBare = url && url.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === '';
  return isBare ? url : undefined;
}

function readPublicUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = bareUrl(value);
  if (url === undefined) throw new ReportedError(refusals.publicUrlWrong({ value }));
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url.origin;
  throw new ReportedError(refusals.publicUrlPlain);
}
