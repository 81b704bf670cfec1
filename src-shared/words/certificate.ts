import type { CertificateProblem } from '../operator-contract/health-checks.ts';

/** Why the files of a certificate cannot be used. */
export function certificateProblemText({ code, file }: CertificateProblem): string {
  switch (code) {
    case 'cert_unreadable':
      return `--tls-cert ${file} cannot be read.`;
    case 'key_unreadable':
      return `--tls-key ${file} cannot be read.`;
    case 'no_certificate':
      return `--tls-cert ${file} is no certificate in PEM form.`;
    case 'no_key':
      return `--tls-key ${file} is no private key in PEM form without a passphrase.`;
    case 'key_of_another':
      return 'The private key of --tls-key does not belong to the certificate.';
    case 'unusable':
      return `--tls-cert ${file} cannot be used: its key is too weak, or one of the certificates in it is damaged.`;
  }
}
