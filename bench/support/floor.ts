import { createPublicKey, verify } from 'node:crypto';
import { fastify } from 'fastify';

// The floor: the least that a signed request can cost with the node's HTTP library and one core. It verifies one
// Ed25519 signature and answers; it reads no token, keeps nothing, and takes the covered components as the official
// client orders them. Run it as `node bench/support/floor.ts KEY`; KEY is the client's public key as base64url. It
// prints where it listens.

const [x = ''] = process.argv.slice(2);
const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });

const app = fastify();
app.get('/incoming-payments/:id', (request, reply) => {
  const { host, authorization, signature = '', 'signature-input': input = '' } = request.headers;
  const lines = [
    `"@method": ${request.method}`,
    `"@target-uri": http://${host}${request.url}`,
    `"authorization": ${authorization}`,
    `"@signature-params": ${String(input).slice('sig1='.length)}`,
  ];
  const bytes = Buffer.from(String(signature).slice('sig1=:'.length, -1), 'base64');
  const verified = verify(null, Buffer.from(lines.join('\n'), 'latin1'), publicKey, bytes);
  return reply.status(verified ? 200 : 401).send({ verified });
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.once('SIGTERM', () => void app.close());
