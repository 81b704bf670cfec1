import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

// Loaded before a node, it lets the node ask the name server that the environment names instead of those of the system.

const server = process.env.PAYDESK_TEST_NAME_SERVER ?? '';
const { Resolver } = dns.promises;

class ResolverOfTests extends Resolver {
  constructor(options?: dns.ResolverOptions) {
    super(options);
    this.setServers([server]);
  }
}

dns.promises.Resolver = ResolverOfTests;
syncBuiltinESMExports();
