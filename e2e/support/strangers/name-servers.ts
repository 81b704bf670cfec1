import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FakeNameServer } from '../../../src-main/platform/outbound-http/testing/name-server.ts';

/** Names of wallets that are found on this computer end so. */
export const HONEST_NAMES = 'wallet.test';
/** Nobody answers for names that end so. */
export const SILENT_NAMES = 'silent.test';

/** The name servers of a node that strangers attack: some answer, and some never do. */
export class NameServers {
  readonly #server = new FakeNameServer((name) => {
    if (name.endsWith(`.${HONEST_NAMES}`)) return ['127.0.0.1'];
    return name.endsWith(`.${SILENT_NAMES}`) ? 'silence' : 'no such name';
  });

  /** @returns the environment in which a node asks them. */
  async open(): Promise<Record<string, string>> {
    const address = await this.#server.open();
    const loaded = pathToFileURL(join(import.meta.dirname, 'asking-name-server.ts'));
    return { NODE_OPTIONS: `--import ${loaded}`, PAYDESK_TEST_NAME_SERVER: address };
  }

  /** How often a name was asked for that nobody answers for. */
  get askedInVain(): number {
    return this.#server.asked.filter((question) => question.endsWith(`.${SILENT_NAMES}`)).length;
  }

  /** How often a name of a wallet was asked for. */
  get answered(): number {
    return this.#server.asked.filter((question) => question.endsWith(`.${HONEST_NAMES}`)).length;
  }

  close(): void {
    this.#server.close();
  }
}
