import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { CertificateProblem } from '../../../src-shared/operator-contract/health-checks.ts';
import { certificateProblemText } from '../../../src-shared/words/certificate.ts';
import { ReportedError } from '../errors.ts';

/** The paths of the certificate and its private key, both in PEM. The certificate's file may hold the whole chain. */
export interface TlsFiles {
  cert: string;
  key: string;
}

/** The certificate chain and the private key for a TLS server, in PEM. */
export interface TlsContext {
  cert: string;
  key: string;
}

/**
 * The time between two looks at the files, so that a new certificate needs no restart of the node. The node compares
 * their content, because a file watcher would miss a change before its first look.
 */
const LOOK_MS = 5_000;

/**
 * The node's own certificate. It is read again when a file changes. When the new files cannot be used, the node keeps
 * the former certificate, and {@link problem} says why.
 */
export class TlsCertificate {
  readonly #files: TlsFiles;
  readonly #uses = new Set<(context: TlsContext) => void>();
  readonly #timer: NodeJS.Timeout;
  #pair: CertificatePair;
  #problem: CertificateProblem | undefined;

  /** @throws ReportedError when the files cannot be used. */
  constructor(files: TlsFiles, lookMs = LOOK_MS) {
    this.#files = files;
    this.#pair = readPair(files);
    this.#timer = setInterval(() => this.reload(), lookMs).unref();
  }

  get context(): TlsContext {
    return { cert: this.#pair.cert, key: this.#pair.key };
  }

  /** The end of the certificate, in milliseconds since the Unix epoch. */
  get expiresAt(): number {
    return Date.parse(this.#pair.certificate.validTo);
  }

  /** The beginning of the certificate, in milliseconds since the Unix epoch. */
  get beginsAt(): number {
    return Date.parse(this.#pair.certificate.validFrom);
  }

  /**
   * Tells whether the certificate is for this host name or address, so that clients accept it there.
   * @param host the host as it stands in a URL
   */
  isFor(host: string): boolean {
    const bare = host.replace(/^\[|\]$/g, '');
    const { certificate } = this.#pair;
    return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined;
  }

  /** The reason why the newest files are not in use. It is undefined when they are in use. */
  get problem(): CertificateProblem | undefined {
    return this.#problem;
  }

  /** Calls `use` with every later certificate and key. @returns a function that ends this. */
  onChange(use: (context: TlsContext) => void): () => void {
    this.#uses.add(use);
    return () => this.#uses.delete(use);
  }

  /**
   * Reads the files again. The two files are written one after the other, so for a moment they may not belong together.
   * The next look finds both.
   */
  reload(): void {
    try {
      const pair = readPair(this.#files);
      this.#problem = undefined;
      if (pair.cert === this.#pair.cert && pair.key === this.#pair.key) return;
      this.#pair = pair;
      for (const use of this.#uses) use(this.context);
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

/** The file of the certificate or of its key cannot be used. */
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
  // The parser's message may quote the key, so it is left out.
  const privateKey = tried(() => createPrivateKey(key), { code: 'no_key', file: keyFile });
  if (!certificate.checkPrivateKey(privateKey)) throw new UnusableFile({ code: 'key_of_another', file: keyFile });
  // TLS refuses some pairs, for example one with a key that is too short. A server would throw where nobody can catch
  // the error.
  tried(() => createSecureContext({ cert, key }), { code: 'unusable', file: certFile });
  return { cert, key, certificate };
}

/** Calls `read`. @throws UnusableFile with `problem` when `read` throws anything. */
function tried<T>(read: () => T, problem: CertificateProblem): T {
  try {
    return read();
  } catch {
    throw new UnusableFile(problem);
  }
}
