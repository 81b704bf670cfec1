import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '../../src-shared/words/console/errors.ts';
import { spoken } from '../../src-shared/words/language/language.ts';
import { commandWords } from '../../src-shared/words/terminal/commands.ts';
import { z } from '../../src-shared/zod.ts';
import { CONSOLE_URL_FILE, OPERATOR_TOKEN_FILE } from '../operator-api/console/console-files.ts';
import { isHeld } from '../platform/data-folder/data-folder.ts';
import { ReportedError } from '../platform/errors.ts';
import { isLoopbackAddress } from '../platform/outbound-http/addresses.ts';
import { startDeadline } from '../platform/outbound-http/deadline.ts';
import { GuardedHttp, type OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import { openOwnFile } from '../platform/outbound-http/own-files.ts';

/** How long a command waits for an answer, in milliseconds. */
const TIMEOUT_MS = 10 * 60_000;
/** A backup takes minutes, and hours when the books are huge. In milliseconds. */
export const BACKUP_TIMEOUT_MS = 24 * 3_600_000;

const Refusal = z.object({
  code: z.string(),
  message: z.string(),
  data: z.unknown().optional(),
});
/** The reasons why the node refuses the input. */
const Issues = z.object({ issues: z.array(z.object({ message: z.string() })).min(1) });

/**
 * What the node refuses, for the person at the terminal. Its own message is English, as scripts read it. In another
 * language the console's words for that code take its place.
 */
function refusalText({ code, message, data }: z.infer<typeof Refusal>): string {
  const byCode: Readonly<Record<string, string>> = errors.byCode;
  const inWords = spoken() === 'en' ? undefined : byCode[code];
  return Issues.safeParse(data).data?.issues[0]?.message ?? inWords ?? message;
}

/** The node refused an operation. */
export class OperatorRefusal extends ReportedError {
  readonly code: string;
  /** The facts that the contract defines for this refusal. The caller must parse them. */
  readonly data: unknown;
  constructor(refusal: z.infer<typeof Refusal>) {
    super(refusalText(refusal));
    this.code = refusal.code;
    this.data = refusal.data;
  }
}

/**
 * Connects a command in a terminal to the headless node that runs on a data folder, with the operator's token from
 * there.
 */
export class OperatorConnection {
  readonly #http: OutboundHttp;
  readonly #consoleUrl: string;
  readonly #token: string;
  readonly #notRunning: ReportedError;

  /** @throws ReportedError when no headless node runs there. */
  constructor({ dataDir }: { dataDir: string }) {
    this.#notRunning = new ReportedError(commandWords.notRunning({ dataDir }));
    const consoleUrl = contentOf(dataDir, CONSOLE_URL_FILE);
    const token = contentOf(dataDir, OPERATOR_TOKEN_FILE);
    // A node that was killed leaves its address behind. Another program that listens there now must not get the token.
    if (consoleUrl === undefined || token === undefined || !isHeld(dataDir)) throw this.#notRunning;
    this.#consoleUrl = consoleUrl;
    this.#token = token;
    // The console is on this computer and speaks plain HTTP, which the node's other outbound requests may not.
    this.#http = new GuardedHttp({
      schemes: ['http:'],
      mayConnect: isLoopbackAddress,
      lookUp: lookUpAll,
      timeoutMs: BACKUP_TIMEOUT_MS,
    });
  }

  /**
   * @param path is a path below the console's URL, such as `/operator/api/accounts`.
   * @param timeoutMs how long the answer may take, in milliseconds.
   * @throws OperatorRefusal with the node's message.
   * @throws ReportedError when there is no answer, or not one of a node.
   */
  async request<T>(method: string, path: string, answer: z.ZodType<T>, body?: object, timeoutMs = TIMEOUT_MS): Promise<T> {
    const headers = { authorization: `Bearer ${this.#token}`, ...(body && { 'content-type': 'application/json' }) };
    const { signal, end } = startDeadline(timeoutMs);
    const request = { headers, signal, ...(body && { body: JSON.stringify(body) }) };
    const got = await this.#http.requestJson(method, this.#consoleUrl + path, request).finally(end);
    if (!got.ok) throw got.error === 'timed_out' ? new ReportedError(commandWords.noAnswer) : this.#notRunning;
    if (got.value.status < 300) {
      const parsed = answer.safeParse(got.value.body);
      if (parsed.success) return parsed.data;
      throw new ReportedError(commandWords.otherVersion);
    }
    const refusal = Refusal.safeParse(got.value.body);
    throw refusal.success ? new OperatorRefusal(refusal.data) : this.#notRunning;
  }

  /**
   * Reads a file, piece by piece.
   * @param path is a path below the console's URL, such as `/operator/api/statements/export?…`.
   * @throws OperatorRefusal with the node's message.
   * @throws Error when the connection breaks before the end of the file.
   */
  async *download(path: string): AsyncGenerator<Buffer, void, void> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const opened = await openOwnFile(this.#consoleUrl + path, headers, lookUpAll).catch(() => undefined);
    if (opened === undefined) throw this.#notRunning;
    if (opened.status < 300) {
      yield* opened.body;
      return;
    }
    const refusal = Refusal.safeParse(parsed(await beginningOf(opened.body)));
    throw refusal.success ? new OperatorRefusal(refusal.data) : this.#notRunning;
  }

  close(): void {
    this.#http.close();
  }
}

const lookUpAll = (hostname: string) => lookup(hostname, { all: true });

/** The longest refusal that is read, in bytes. */
const LONGEST_REFUSAL = 64 * 1024;

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length > LONGEST_REFUSAL) break;
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @returns undefined when there is no such file.
 * @throws ReportedError when this user may not read it.
 */
function contentOf(dataDir: string, name: string): string | undefined {
  try {
    return readFileSync(join(dataDir, name), 'utf8').trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM'))) return undefined;
    throw new ReportedError(commandWords.notReadable({ file: join(dataDir, name) }));
  }
}
