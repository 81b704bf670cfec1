import { RPCHandler } from '@orpc/server/message-port';
import type { OperatorContext } from './context.ts';
import { router } from './router.ts';
import { hideUnexpected } from './unexpected.ts';

/** The node's end of a channel to the desktop window, such as Electron's MessagePortMain. It must be started by its owner. */
export type OperatorPort = Parameters<RPCHandler<OperatorContext>['upgrade']>[0];

/**
 * Serves the operator's operations on a port. Whoever holds the other end is the operator: the host hands it only to its
 * own window. What a port has under way ends when it closes.
 */
export function servePorts(context: OperatorContext): (port: OperatorPort) => void {
  const handler = new RPCHandler<OperatorContext>(router, { interceptors: [hideUnexpected] });
  return (port) => handler.upgrade(port, { context });
}
