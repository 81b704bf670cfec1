import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give these ports to nobody who asks for any port: they begin at 32768 or 49152. */
const [FIRST, LAST] = [10_000, 32_000];

/**
 * A free port of this computer that stays free while its node is killed and started again. A port that the system
 * chooses goes to the next program that asks for any.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
