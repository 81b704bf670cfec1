import { type TestKey, testKey } from '../../access/http-signatures/testing/signed-requests.ts';
import { openTestAccess, TEST_ORIGIN, type TestAccess } from '../../access/testing/access.ts';
import type { Clock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { ok, refuse } from '../../platform/result.ts';
import { authorizationRoutes } from '../authorization/authorization-routes.ts';
import { callerOf, requireAuthentication } from '../http/authenticate-request.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { createPublicServer, type PublicServer } from '../http/server.ts';
import { interactionRoutes } from '../pages/interaction-page.ts';

/** A client's wallet address elsewhere, and the key with which the client signs. */
export const CLIENT_URL = 'https://shop.example/till';

export interface TestDoor {
  app: PublicServer;
  access: TestAccess;
  key: TestKey;
  close(): Promise<void>;
}

interface DoorParts {
  clock: Clock;
  origin?: string;
  /** Without them nobody is limited. */
  limits?: RateLimits;
}

/**
 * The authorization server over a database of its own. It knows the key of one client. Its one resource, `GET /whoami`,
 * says which client calls.
 */
export async function openTestDoor({ clock, origin = TEST_ORIGIN, limits }: DoorParts): Promise<TestDoor> {
  const key = await testKey();
  const access = openTestAccess({
    clock,
    origin,
    keys: {
      find: async (client, keyId) => {
        if (client.kind === 'jwk') return client.jwk.kid === keyId ? ok(key.clientKey) : refuse('unknown_key');
        return client.id === CLIENT_URL && keyId === key.kid ? ok(key.clientKey) : refuse('unknown_key');
      },
    },
    documents: { [CLIENT_URL]: { publicName: 'Corner <b>Bookshop</b> & Co' } },
  });
  const app = createPublicServer({ urls: access.urls, log: createLogger('silent'), limits });
  authorizationRoutes(app, access);
  interactionRoutes(app, access);
  app.get('/whoami', { preValidation: requireAuthentication(access.authenticator, access.urls) }, (request) => {
    const { client, grantId, access: rights } = callerOf(request);
    return { client: client.id, grantId, rights: rights.map(({ type, actions, identifier }) => ({ type, actions, identifier })) };
  });
  const close = async () => {
    await app.close();
    await access.dispose();
  };
  return { app, access, key, close };
}
