import { isAbsolute, join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReportedError } from '../errors.ts';
import { type Config, helpText, isLoopback, readCommandLine } from './config.ts';

const HOME = { XDG_DATA_HOME: resolve('somewhere') };

function config(argv: readonly string[], env: NodeJS.ProcessEnv = HOME): Config {
  const commandLine = readCommandLine(argv, env);
  if (!('config' in commandLine)) throw new Error(`it was read as ${commandLine.command}`);
  return commandLine.config;
}

/** @returns the message of the refusal, after checking that it is one line of a ReportedError. */
function refusal(argv: readonly string[], env: NodeJS.ProcessEnv = HOME): string {
  try {
    readCommandLine(argv, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ReportedError);
    const words = error instanceof Error ? error.message : '';
    expect(words).toMatch(/^[^\n]+\.$/);
    return words;
  }
  throw new Error(`it was accepted: ${argv.join(' ')}`);
}

describe('defaults', () => {
  it('let the node listen on this computer only', () => {
    expect(config([])).toMatchObject({
      listen: { host: '127.0.0.1', port: 3000 },
      console: { host: '127.0.0.1', port: 3001 },
      publicUrl: undefined,
      logLevel: 'info',
      development: false,
      tokenLifetime: 600,
      keepDays: 30,
      archiveDays: 90,
      updatedAtInBody: 'compatible',
      addressRate: 20_000,
      clientRate: 20_000,
      trustedProxies: [],
      maxPacketAmount: undefined,
      ilpAddress: undefined,
    });
  });

  it('keep the data in a folder of the user', () => {
    const linux = process.platform === 'linux';
    expect(config([]).dataDir).toEqual(linux ? join(HOME.XDG_DATA_HOME, 'paydesk') : expect.stringMatching(/paydesk$/));
    expect(isAbsolute(config([], { XDG_DATA_HOME: 'relative' }).dataDir)).toBe(true);
  });
});

describe('flags and environment variables', () => {
  // For each flag, one value that is not its default.
  const VALUES: [string, string, Partial<Config>][] = [
    ['data-dir', 'here', { dataDir: resolve('here') }],
    ['listen', '[::1]:80', { listen: { host: '::1', port: 80 } }],
    ['public-url', 'https://pay.example/', { publicUrl: 'https://pay.example' }],
    ['console', 'localhost:0', { console: { host: 'localhost', port: 0 } }],
    ['log-level', 'trace', { logLevel: 'trace' }],
    ['token-lifetime', '86400', { tokenLifetime: 86_400 }],
    ['keep-days', '7', { keepDays: 7 }],
    ['archive-days', '32', { archiveDays: 32 }],
    ['updated-at-in-body', 'always', { updatedAtInBody: 'always' }],
    ['address-rate', '0', { addressRate: 0 }],
    ['client-rate', '50', { clientRate: 50 }],
    ['trusted-proxies', '127.0.0.1, 10.0.0.0/8,fd00::/8', { trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] }],
    ['ilp-address', 'g.provider.shop_1~x-y', { ilpAddress: 'g.provider.shop_1~x-y' }],
    ['max-packet-amount', '9223372036854775807', { maxPacketAmount: 2n ** 63n - 1n }],
  ];
  const variable = (flag: string) => `PAYDESK_${flag.toUpperCase().replaceAll('-', '_')}`;

  it.each(VALUES)('set --%s to %s', (flag, value, expected) => {
    expect(config([`--${flag}`, value])).toMatchObject(expected);
    expect(config([`--${flag}=${value}`])).toMatchObject(expected);
    expect(config([], { ...HOME, [variable(flag)]: value })).toMatchObject(expected);
    expect(config([`--${flag}`, value], { ...HOME, [variable(flag)]: 'nonsense' })).toMatchObject(expected);
    expect(config([], { ...HOME, [variable(flag)]: '' })).toEqual(config([]));
  });

  it('set --development', () => {
    expect(config(['--development']).development).toBe(true);
    expect(config([], { ...HOME, PAYDESK_DEVELOPMENT: 'true' }).development).toBe(true);
    expect(config([], { ...HOME, PAYDESK_DEVELOPMENT: '0' }).development).toBe(false);
    expect(refusal([], { ...HOME, PAYDESK_DEVELOPMENT: 'perhaps' })).toContain('--development');
  });

  it('are all named in the help', () => {
    const help = helpText('npm run headless --');
    for (const flag of [...VALUES.map(([name]) => name), 'development']) {
      expect(help).toContain(`--${flag}`);
      expect(help).toContain(variable(flag));
    }
    expect(help).toContain('console-link');
    expect(help).not.toContain('FAIL_POINT');
  });

  it.each(['help', 'version'] as const)('allow --%s beside a wrong setting', (command) => {
    expect(readCommandLine([`--${command}`, '--listen', 'nonsense'], HOME)).toEqual({ command });
  });

  it('come with the operands and options of a command', () => {
    expect(readCommandLine(['create-account', 'shop', '--currency', 'EUR', '--data-dir', 'here'], HOME)).toMatchObject({
      command: 'create-account',
      operands: ['shop'],
      options: { currency: 'EUR' },
      config: { dataDir: resolve('here') },
    });
    // A command does not listen, so it accepts an address on which the node would refuse to listen.
    expect(readCommandLine(['status', '--listen', '0.0.0.0:3000'], HOME)).toMatchObject({ command: 'status' });
  });

  it('name a certificate together with its key', () => {
    expect(config(['--tls-cert', 'a.pem', '--tls-key', 'b.pem']).tls).toEqual({ cert: resolve('a.pem'), key: resolve('b.pem') });
    expect(config([]).tls).toBeUndefined();
  });

  it('let others connect with a certificate, behind a declared proxy, or in development', () => {
    const open = ['--listen', '0.0.0.0:3000'];
    for (const safe of [['--tls-cert', 'a', '--tls-key', 'b'], ['--trusted-proxies', '10.0.0.1'], ['--development']]) {
      expect(config([...open, ...safe]).listen.host).toBe('0.0.0.0');
    }
  });

  it('tell console-link the data folder', () => {
    expect(readCommandLine(['console-link', '--data-dir', 'here'], HOME)).toMatchObject({
      command: 'console-link',
      config: { dataDir: resolve('here') },
    });
  });
});

describe('refusals', () => {
  it.each([
    [['--listen', 'nonsense'], '--listen must look like 127.0.0.1:3000'],
    [['--listen', '127.0.0.1'], '--listen must look like'],
    [['--listen', '127.0.0.1:65536'], '--listen must look like'],
    [['--listen', '::1:3000'], '--listen must look like'],
    [['--console', '0.0.0.0:3001'], 'SSH tunnel'],
    [['--console', '192.168.1.5:3001'], 'SSH tunnel'],
    [['--console-url', 'https://desk.example'], '--console-url needs --tls-cert and --tls-key, or --trusted-proxies'],
    [['--console-url', 'http://desk.example', '--trusted-proxies', '127.0.0.1'], '--console-url must be an https address'],
    [['--console-url', 'https://192.0.2.1', '--trusted-proxies', '127.0.0.1'], '--console-url must be an https address'],
    [
      ['--console-url', 'https://a.example', '--public-url', 'https://a.example', '--trusted-proxies', '127.0.0.1'],
      'must have another host',
    ],
    [['--public-url', 'pay.example'], '--public-url must be an origin'],
    [['--public-url', 'https://pay.example/wallet'], '--public-url must be an origin'],
    [['--public-url', 'https://user@pay.example'], '--public-url must be an origin'],
    [['--public-url', 'https://pay.example/?a=b'], '--public-url must be an origin'],
    [['--public-url', 'http://pay.example'], 'must begin with https://'],
    [['--public-url', 'ftp://127.0.0.1'], 'must begin with https://'],
    [['--listen', '0.0.0.0:3000'], 'without encryption'],
    [['--listen', '[::]:3000'], 'without encryption'],
    [['--tls-cert', 'a.pem'], 'belong together'],
    [['create-account'], 'Type "create-account NAME"'],
    [['status', 'now'], 'Type "status"'],
    [['--currency', 'EUR'], '--currency does not belong to "run"'],
    [['status', '--deposit', '1'], '--deposit does not belong to "status"'],
    [['--log-level', 'loud'], '--log-level cannot be "loud"'],
    [['--data-dir', ''], '--data-dir is empty'],
    [['--keep-days', '6'], '--keep-days cannot be "6"'],
    [['--archive-days', '31'], '--archive-days cannot be "31"'],
    [['--token-lifetime', '0'], '--token-lifetime cannot be "0"'],
    [['--token-lifetime', '1.5'], '--token-lifetime cannot be "1.5"'],
    [['--address-rate', '0.5'], '--address-rate cannot be "0.5"'],
    [['--client-rate', 'often'], '--client-rate cannot be "often"'],
    [['--trusted-proxies', '127.0.0.1,proxy.example'], 'not "proxy.example"'],
    [['--trusted-proxies', '10.0.0.0/33'], '--trusted-proxies must be addresses'],
    [['--trusted-proxies', '0.0.0.0/0'], 'would believe everybody'],
    [['--trusted-proxies', '127.0.0.1,::/00'], 'would believe everybody'],
    [['--trusted-proxies', 'fe80::1%eth0'], '--trusted-proxies must be addresses'],
    [['--trusted-proxies', '::ffff:10.0.0.0/104'], '--trusted-proxies must be addresses'],
    ...['g', 'g.', 'h.shop', 'g.shop.', 'g.sh op', 'g.shop.ü', 'peer.config', 'peer.config.a', `g.${'a'.repeat(511)}`].map(
      (address): [string[], string] => [['--ilp-address', address], '--ilp-address must look like g.provider.shop'],
    ),
    [['--max-packet-amount', '0'], '--max-packet-amount cannot be "0"'],
    [['--max-packet-amount', 'much'], '--max-packet-amount cannot be "much"'],
    [['--max-packet-amount', '9223372036854775808'], '--max-packet-amount cannot be'],
    [['--nonsense'], '--nonsense'],
    [['--listen', '--console'], '--listen'],
    [['--development=yes'], '--development'],
    [['dance'], 'There is no command "dance"'],
    [['run', 'faster'], 'There is no command "run faster"'],
  ])('answer %j with "%s"', (argv, words) => expect(refusal(argv)).toContain(words));

  it('are sentences, whatever a person types', () => {
    const argument = fc.oneof(
      fc.constantFrom(
        '--listen',
        '--console',
        '--public-url',
        '--data-dir',
        '--token-lifetime',
        '--max-packet-amount',
        '--log-level',
        '-x',
        '--',
      ),
      fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !/[\n\0]/.test(text)),
    );
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 4 }), (argv) => {
        try {
          readCommandLine(argv, HOME);
        } catch (error) {
          expect(error).toBeInstanceOf(ReportedError);
        }
      }),
    );
  });
});

it('the node recognises this computer by its names and addresses', () => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]']) expect(isLoopback(host)).toBe(true);
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example', '127.0.0.1.example', '']) expect(isLoopback(host)).toBe(false);
  expect(config(['--public-url', 'http://[::1]:3000']).publicUrl).toBe('http://[::1]:3000');
});

describe('a shared database', () => {
  const SECRET = 'postgres://paydesk:s3cret@db.example/books';

  it('is named by an option or the environment, and shows no password', () => {
    for (const { database } of [config(['--database', SECRET]), config([], { ...HOME, PAYDESK_DATABASE: SECRET })]) {
      expect(database?.shown).toBe('db.example:5432/books');
      expect(database?.url).toBe(SECRET);
    }
    expect(JSON.stringify(config(['--database', SECRET]))).not.toContain('s3cret');
    expect(config([]).database).toBeUndefined();
  });

  it.each([[['--database', SECRET.replace('postgres', 'mysql')]], [['--database', SECRET.replace('/books', '')]], [[SECRET]]])(
    'is refused without a word of what was typed',
    (argv) => {
      expect(refusal(argv)).not.toContain('s3cret');
    },
  );

  it('has a key from one of three places', () => {
    expect(config(['--key-file', 'k'], { ...HOME, PAYDESK_KEY_COMMAND: 'c', PAYDESK_KEY: 'x' }).sealKey).toEqual({
      text: 'x',
      file: 'k',
      command: 'c',
    });
  });
});
