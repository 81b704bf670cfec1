import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { CertificateProblem } from '../../../src-shared/operator-contract/health-checks.ts';
import { certificateProblemText } from '../../../src-shared/words/certificate.ts';
import { ReportedError } from '../errors.ts';

/** Where the certificate and its private key are, in PEM. The first file may hold the whole chain. */
export interface TlsFiles {
  cert: string;
  key: string;
}

/** What a TLS server is given. */
export interface TlsContext {
  cert: string;
  key: string;
}

/** How often the files are read: whoever renews them need not restart the node. Their content tells, because a watcher misses what changes before it first looked. */
const LOOK_MS = 5_000;

/**
 * The node's own certificate. Read again when a file changes; a pair that cannot be used leaves the one before in place, and says why.
 */
export class TlsCertificate {
  readonly #files: TlsFiles;
  #onChange: (context: TlsContext) => void = () => undefined;
  readonly #timer: NodeJS.Timeout;
  #pair: CertificatePair;
  #problem: CertificateProblem | undefined;

  /** @throws ReportedError when the pair cannot be used. */
  constructor(files: TlsFiles, lookMs = LOOK_MS) {
    this.#files = files;
    this.#pair = readPair(files);
    this.#timer = setInterval(() => this.reload(), lookMs).unref();
  }

  get context(): TlsContext {
    return { cert: this.#pair.cert, key: this.#pair.key };
  }

  /** When it ends, in milliseconds since the Unix epoch. */
  get expiresAt(): number {
    return Date.parse(this.#pair.certificate.validTo);
  }

  /** From when on it counts, in milliseconds since the Unix epoch. */
  get beginsAt(): number {
    return Date.parse(this.#pair.certificate.validFrom);
  }

  /** Whether it is for this host name or address, so that whoever comes there is let in by its own checks. @param host as in a URL */
  isFor(host: string): boolean {
    const bare = host.replace(/^\[|\]$/g, '');
    const { certificate } = this.#pair;
    return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined;
  }

  /** Why the newest files are not in use. It is undefined when they are. */
  get problem(): CertificateProblem | undefined {
    return this.#problem;
  }

  /** Has `use` get every later pair. */
  onChange(use: (context: TlsContext) => void): void {
    this.#onChange = use;
  }

  /** Reads the files again. A pair is written in two steps, so that for a moment the two may not fit: the next look finds them whole. */
  reload(): void {
    try {
      const pair = readPair(this.#files);
      this.#problem = undefined;
      if (pair.cert === this.#pair.cert && pair.key === this.#pair.key) return;
      this.#pair = pair;
      this.#onChange(this.context);
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error;
      this.#problem = error.problem;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

interface CertificatePair extends TlsContext {
  certificate: X509Certificate;
}

/** A file of the certificate that cannot be used. */
class UnusableFile extends ReportedError {
  readonly problem: CertificateProblem;

  constructor(problem: CertificateProblem) {
    super(certificateProblemText(problem));
    this.problem = problem;
  }
}

function readPair({ cert: certFile, key: keyFile }: TlsFiles): CertificatePair {
  const cert = tried(() => readFileSync(certFile, 'utf8'), { code: 'cert_unreadable', file: certFile });
  const key = tried(() => readFileSync(keyFile, 'utf8'), { code: 'key_unreadable', file: keyFile });
  const certificate = tried(() => new X509Certificate(cert), { code: 'no_certificate', file: certFile });
  // What the parser says may quote the key, so its words stay here.
  const privateKey = tried(() => createPrivateKey(key), { code: 'no_key', file: keyFile });
  if (!certificate.checkPrivateKey(privateKey)) throw new UnusableFile({ code: 'key_of_another', file: keyFile });
  // A server asked to use what TLS refuses, such as a key that is too short, would throw where nobody could catch it.
  tried(() => createSecureContext({ cert, key }), { code: 'unusable', file: certFile });
  return { cert, key, certificate };
}

/** @throws UnusableFile with `problem` when `read` throws anything. */
function tried<T>(read: () => T, problem: CertificateProblem): T {
  try {
    return read();
  } catch {
    throw new UnusableFile(problem);
  }
}
