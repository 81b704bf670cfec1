import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';

test.each(['package.json', 'docs/server/paydesk.service', 'e2e/support/nodes/running-node.ts'])(
  '%s starts the node with a bound for young objects',
  (file) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain('--max-semi-space-size=16');
  },
);
