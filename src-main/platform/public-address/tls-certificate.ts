import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
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
  #problem: string | undefined;

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

  /** Why the newest files are not in use, in a sentence; undefined when they are. */
  get problem(): string | undefined {
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
      if (!(error instanceof ReportedError)) throw error;
      this.#problem = error.message;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

interface CertificatePair extends TlsContext {
  certificate: X509Certificate;
}

function readPair({ cert: certFile, key: keyFile }: TlsFiles): CertificatePair {
  const cert = contentOf('--tls-cert', certFile);
  const key = contentOf('--tls-key', keyFile);
  const certificate = parsed(() => new X509Certificate(cert), `--tls-cert ${certFile} is no certificate in PEM form.`);
  // What the parser says may quote the key, so its words stay here.
  const privateKey = parsed(() => createPrivateKey(key), `--tls-key ${keyFile} is no private key in PEM form without a passphrase.`);
  if (!certificate.checkPrivateKey(privateKey)) throw new ReportedError('The private key of --tls-key does not belong to the certificate.');
  // A server asked to use what TLS refuses, such as a key that is too short, would throw where nobody could catch it.
  parsed(
    () => createSecureContext({ cert, key }),
    `--tls-cert ${certFile} cannot be used: its key is too weak, or one of the certificates in it is damaged.`,
  );
  return { cert, key, certificate };
}

function contentOf(flag: string, file: string): string {
  return parsed(() => readFileSync(file, 'utf8'), `${flag} ${file} cannot be read.`);
}

function parsed<T>(read: () => T, otherwise: string): T {
  try {
    return read();
  } catch {
    throw new ReportedError(otherwise);
  }
}
