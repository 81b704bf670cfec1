import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';

test.each(['package.json', 'docs/server/paydesk.service', 'docs/server/compose.yaml', 'e2e/support/nodes/running-node.ts'])(
  '%s starts the node with bounds for young and old objects',
  (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    for (const flag of ['--max-semi-space-size=8', '--max-old-space-size=640']) expect(text).toContain(flag);
  },
);
