import { RPCHandler } from '@orpc/server/message-port';
import { z } from '../../src-shared/zod.ts';
import type { OperatorContext } from './context.ts';
import { router } from './router.ts';
import { hideUnexpected } from './unexpected.ts';

/** The node's end of a channel to the desktop window, such as Electron's MessagePortMain. Its owner must start it. */
export type OperatorPort = Parameters<RPCHandler<OperatorContext>['upgrade']>[0];

type Listener = (event?: { data: unknown }) => void;

/** What the console's client sends: a call, a value of a stream, or the end of a call. */
const Message = z.union([
  z.object({
    i: z.string().max(100),
    t: z.literal(1).optional(),
    p: z.object({
      u: z.string().regex(/^\/[\w/]*$/),
      m: z.string().optional(),
      h: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
      b: z.unknown(),
    }),
  }),
  z.object({ i: z.string().max(100), t: z.literal(3), p: z.object({ e: z.string() }) }),
  z.object({ i: z.string().max(100), t: z.literal(4) }),
]);

function isMessage(data: unknown): boolean {
  if (typeof data !== 'string') return false;
  try {
    return Message.safeParse(JSON.parse(data)).success;
  } catch {
    // The text is not even JSON.
    return false;
  }
}

/**
 * Wraps the port and drops messages that no console sends. The handler of calls throws on them where nobody can catch
 * it.
 */
function gated(port: OperatorPort, refused: () => void): OperatorPort {
  const listen = (event: string, listener: Listener): void => {
    if ('addEventListener' in port)
      port.addEventListener(event, (message) => listener('data' in message ? { data: message.data } : undefined));
    else if ('on' in port) port.on(event, listener);
    else throw new Error('a port that nobody can listen to');
  };
  return {
    postMessage: (data: unknown) => port.postMessage(data),
    on: (event: string, listener: Listener) =>
      listen(event, (message) => {
        if (event !== 'message' || isMessage(message?.data)) listener(message);
        else refused();
      }),
  };
}

/**
 * Serves the operator's operations on a port. The program at the other end acts as the operator, so the host hands it
 * only to its own window. When a port closes, the calls that are under way on it end.
 */
export function servePorts(context: OperatorContext): (port: OperatorPort) => void {
  const handler = new RPCHandler<OperatorContext>(router, { interceptors: [hideUnexpected] });
  return (port) => {
    let told = false;
    const refused = () => {
      if (!told) context.log.warn('something that is no call came from the window; it is not answered');
      told = true;
    };
    handler.upgrade(gated(port, refused), { context: { ...context, role: 'owner', isWindow: true } });
  };
}
