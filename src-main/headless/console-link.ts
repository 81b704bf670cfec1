import { z } from '../../src-shared/zod.ts';
import { OperatorConnection } from './operator-connection.ts';

const Link = z.object({ url: z.url() });

/**
 * Asks the node that runs on a data folder for a console link.
 * @throws ReportedError when no headless node answers there.
 */
export async function requestConsoleLink(place: { dataDir: string }): Promise<string> {
  const node = new OperatorConnection(place);
  try {
    return (await node.request('POST', '/operator/links', Link)).url;
  } finally {
    node.close();
  }
}
