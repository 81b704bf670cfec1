import type { NodeConfiguration } from '../../../../src-shared/operator-contract/settings.ts';
import type { OperatorContext } from '../../context.ts';

/** How the node was configured when it started, with the certificate that it uses now. */
export function nodeConfiguration({ configuration, about, peers, certificate }: OperatorContext): NodeConfiguration {
  const { version, host, publicUrl, development, database } = about;
  return {
    ...configuration,
    ...{ version, host, publicUrl, development, database },
    ilpAddress: peers.nodeAddress,
    certificateEndsAt: certificate === undefined ? null : new Date(certificate.expiresAt),
  };
}
