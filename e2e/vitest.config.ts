import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

// These tests drive the built node from outside, with real processes and sockets. A failed test does not run again
// within its file, because the file's node remembers the first try; scripts/test.mjs runs such a file again from its
// beginning. The limits leave room for a busy machine. A test that takes that long hangs.

// `npm run soak` says how long or how often these run. Otherwise they are left out: a skipped test counts as failed.
const LONG_RUNS = [
  { file: 'e2e/node/strangers.test.ts', asked: process.env.PAYDESK_TEST_STRANGERS_MINUTES },
  { file: 'e2e/node/claim-kill.test.ts', asked: process.env.PAYDESK_TEST_CLAIM_KILLS },
  // Two servers and four replicas take turns in these. They are not steady enough yet for `npm test`.
  { file: 'e2e/cluster/failover.test.ts', asked: process.env.PAYDESK_TEST_CLUSTER_ACTS },
  { file: 'e2e/cluster/exports.test.ts', asked: process.env.PAYDESK_TEST_CLUSTER_ACTS },
  { file: 'e2e/cluster/two-builds.test.ts', asked: process.env.PAYDESK_TEST_CLUSTER_ACTS },
  // It also needs a C compiler, which `npm test` must not.
  { file: 'e2e/node/power-loss.test.ts', asked: process.env.PAYDESK_TEST_CUTS },
];

/**
 * These measure what a node takes, or kill it while many clients pay. They run one at a time, when the others are done.
 */
const MEASURING = [
  ...['kill', 'two-nodes-kill'],
  ...['export', 'flood', 'fuzz', 'memory', 'open-files', 'overload', 'power-loss', 'pressure', 'strangers', 'unread-answers'],
].map((name) => `e2e/node/${name}.test.ts`);
/** What runs alone. In the last four, replicas are killed while others go on. */
const ALONE = [...MEASURING, ...['storm', 'pair', 'steps', 'operator-steps'].map((name) => `e2e/cluster/${name}.test.ts`)];

/** The longest ones, the longest first. They begin first, so that none of them runs on when the others have ended. */
const LONGEST = [
  ...['backups-under-load', 'backup-interrupted', 'approvals-command', 'package', 'remote-wallets', 'crash-points', 'backup'],
  ...['peering-kill', 'rates-kill', 'replays', 'two-nodes', 'simulator', 'startup'],
].map((name) => `/e2e/node/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const place = ({ moduleId }: (typeof files)[number]) => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

// `npm test` says so where no PostgreSQL server can run.
const WITHOUT_POSTGRES = process.env.PAYDESK_TEST_DATABASE === 'none' ? ['e2e/cluster/**'] : [];

const LEFT_OUT = [...WITHOUT_POSTGRES, ...LONG_RUNS.filter(({ asked }) => asked === undefined).map(({ file }) => file)];
const LIMITS = { testTimeout: 600_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

// The nodes and the desktop app say what the tests read, whatever language the computer speaks.
process.env.PAYDESK_MESSAGE_LANGUAGE = 'en';

export default defineConfig({
  test: {
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...{ name: 'together', environment: 'node', ...LIMITS },
          include: ['e2e/**/*.test.ts'],
          exclude: [...ALONE, ...LEFT_OUT],
          // They wait for their nodes, for signatures to age and for payments to end. Two would leave a core idle.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...{ name: 'alone', environment: 'node', ...LIMITS },
          include: ALONE,
          exclude: LEFT_OUT,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
