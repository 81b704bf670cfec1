// @ts-check

/**
 * The functions and constants of a file, and the test files that have to notice every fault in them, the most likely
 * first. A fault that only another test would notice counts as unnoticed.
 * @typedef {{ names: readonly string[], tests: readonly string[] }} Place
 */

const MONEY = [
  ...['src-main/payments/payments.test.ts', 'src-main/payments/outgoing/paying-across-currencies.test.ts'],
  ...['src-main/payments/outgoing/paying-elsewhere.test.ts', 'src-main/payments/outgoing/adverse-moments.test.ts'],
];
const BUDGETS = ['src-main/open-payments-api/http/stranger-budgets.test.ts'];
const PACKETS = ['src-main/assembly/peer-packets.test.ts', 'src-main/assembly/peer-exchange.test.ts'];
const RECEIVING = ['src-main/ilp/packet-connection.test.ts', 'src-main/ilp/stream-receivers.test.ts'];
const DATABASE = [
  ...['src-main/platform/database/commits/durability.test.ts', 'src-main/platform/database/sqlite.test.ts'],
  ...['src-main/platform/database/commits/waiting-writes.test.ts', 'src-main/platform/database/commits/checkpoints.test.ts'],
  'src-main/platform/database/commits/gathering.test.ts',
];

/**
 * The lines that must not be wrong, by room. The tool makes all their mutants. A name that is gone makes
 * `npm run mutants` and its unit test fail.
 * @type {Record<string, Record<string, Place>>}
 */
export const PLACES = {
  ledger: {
    'src-main/ledger/ledger.ts': {
      names: [
        'spendable',
        'takeBalance',
        'giveBalance',
        'takeHeldBalance',
        'hold',
        'letGo',
        'transfer',
        'carry',
        'assertPending',
        'holdTransfer',
        'postHeld',
        'drawHeld',
        'freed',
      ],
      tests: [
        ...['src-main/ledger/holds.test.ts', 'src-main/ledger/ledger.test.ts', 'src-main/ledger/growing.test.ts'],
        ...['src-main/ledger/days.test.ts', ...MONEY],
      ],
    },
  },
  payments: {
    'src-main/payments/outgoing/endings.ts': {
      names: ['endIfDone', 'giveBack', 'unusedOf'],
      tests: ['src-main/payments/outgoing/endings.test.ts', ...MONEY],
    },
    'src-main/payments/outgoing/payment-worker.ts': {
      names: ['PaymentWorker.keepPlace'],
      tests: ['src-main/payments/outgoing/first-claims.test.ts'],
    },
    'src-main/payments/outgoing/outgoing-payments.ts': {
      names: ['OutgoingPayments.#create'],
      tests: ['src-main/payments/outgoing/first-claims.test.ts'],
    },
    'src-main/payments/outgoing/local-money.ts': {
      names: ['spend', 'isAtItsPrice'],
      tests: ['src-main/payments/outgoing/local-money.test.ts', ...MONEY],
    },
    'src-main/payments/incoming/incoming-payments.ts': { names: ['roomOf'], tests: MONEY },
    'src-main/payments/incoming/peer-money.ts': {
      names: ['mostFromPeer', 'creditedOf'],
      tests: ['src-main/payments/incoming/peer-money.test.ts', ...PACKETS],
    },
  },
  access: {
    'src-main/access/grants/spending-limits.ts': {
      names: ['isCounter', 'livingGrant', 'setCounter', 'reserve', 'release', 'add', 'subtract', 'change'],
      tests: ['src-main/access/grants/spending-limits.test.ts'],
    },
    'src-main/access/tokens/authenticate.ts': {
      names: ['byHash', 'Authenticator.authenticate'],
      tests: ['src-main/access/tokens/authenticate.test.ts', 'src-main/access/tokens/access-tokens.test.ts'],
    },
    'src-main/access/grant-rows.ts': {
      names: ['stateAt', 'hasExpired'],
      tests: ['src-main/access/grant-rows.test.ts'],
    },
    'src-main/access/tables.ts': {
      names: ['isUsable'],
      tests: ['src-main/access/grants/spending-limits.test.ts', 'src-main/access/tokens/authenticate.test.ts'],
    },
  },
  strangers: {
    'src-main/open-payments-api/http/stranger-budgets.ts': {
      names: [
        'StrangerBudgets.take',
        'StrangerBudgets.refusalOf',
        'StrangerBudgets.charge',
        'StrangerBudgets.#concerned',
        'isShared',
        'takerOf',
        'keyIn',
      ],
      tests: BUDGETS,
    },
    'src-main/platform/limits/rate-limiter.ts': {
      names: ['RateLimiter.take', 'RateLimiter.waitFor', 'RateLimiter.charge', 'RateLimiter.#part', 'RateLimiter.#fullAt'],
      tests: ['src-main/platform/limits/rate-limiter.test.ts', ...BUDGETS],
    },
    'src-main/platform/limits/fading-sums.ts': {
      names: ['FadingSums.of', 'FadingSums.add'],
      tests: ['src-main/platform/limits/fading-sums.test.ts', ...BUDGETS],
    },
    'src-main/open-payments-api/http/rate-limits.ts': {
      names: ['RateLimits.refuseUnread', 'RateLimits.refuseClient', 'RateLimits.refuseThing', 'RateLimits.refuseCost', 'isFailure'],
      tests: [
        ...['src-main/open-payments-api/http/rate-limits.test.ts', 'src-main/assembly/failures.test.ts'],
        ...['src-main/assembly/rate-limits.test.ts', 'src-main/assembly/stranger-rows.test.ts', 'src-main/assembly/pressure.test.ts'],
      ],
    },
    'src-main/open-payments-api/http/known-callers.ts': {
      names: ['KnownCallers.remember', 'KnownCallers.forget', 'KnownCallers.knownSigns', 'signsOf'],
      tests: ['src-main/open-payments-api/http/known-callers.test.ts', 'src-main/assembly/failures.test.ts'],
    },
    'src-main/access/clients/stranger-rows.ts': {
      names: ['StrangerRows.refusalOf', 'StrangerRows.#fullOf', 'StrangerRows.note', 'StrangerRows.#bringsMoney'],
      tests: ['src-main/assembly/stranger-rows.test.ts'],
    },
    'src-main/payments/crowd.ts': { names: ['crowdRule', 'crowdOf', 'removeThings'], tests: ['src-main/assembly/crowd.test.ts'] },
    'src-main/platform/outbound-http/fair-gate.ts': {
      names: ['FairGate.enter', 'FairGate.#admit', 'FairGate.#fits', 'FairGate.#fairer', 'FairGate.#take'],
      tests: ['src-main/platform/outbound-http/fair-gate.test.ts'],
    },
    'src-main/open-payments-api/http/unread-answers.ts': {
      names: ['ofTheLargest'],
      tests: ['src-main/open-payments-api/http/unread-answers.test.ts'],
    },
  },
  ilp: {
    'src-main/ilp/packet-connection.ts': {
      names: [
        'PacketConnection.heed',
        'PacketConnection.divide',
        'PacketConnection.fulfilling',
        'PacketConnection.#open',
        'PacketConnection.#introduce',
        'PacketConnection.#close',
        'PacketConnection.#closeStream',
        'PacketConnection.#takeData',
      ],
      tests: RECEIVING,
    },
    'src-main/ilp/stream-receivers.ts': { names: ['answer'], tests: RECEIVING },
  },
  peers: {
    'src-main/peers/received-packets.ts': {
      names: ['byKey', 'formerReply', 'storeRejected'],
      tests: ['src-main/peers/received-packets.test.ts', ...PACKETS],
    },
    'src-main/peers/peer-conversion.ts': {
      names: ['isRun', 'goOn', 'converted', 'advance'],
      tests: ['src-main/peers/peer-conversion.test.ts', ...PACKETS],
    },
  },
  database: {
    'src-main/platform/database/sqlite.ts': {
      names: ['SqliteDatabase.#runBatch', 'SqliteDatabase.#runApart', 'SqliteDatabase.#begin'],
      tests: DATABASE,
    },
    'src-main/platform/database/commits/commits-under-way.ts': {
      names: [
        'CommitsUnderWay.add',
        'CommitsUnderWay.#hasArrived',
        'CommitsUnderWay.#lose',
        'CommitsUnderWay.#acknowledge',
        'CommitsUnderWay.gathering',
      ],
      tests: DATABASE,
    },
    'src-main/platform/database/commits/write-queue.ts': {
      names: ['WriteQueue.gather', 'WriteQueue.hurry'],
      tests: DATABASE,
    },
    'src-main/platform/database/connection.ts': {
      names: ['connect', 'pageCacheKib'],
      tests: ['src-main/platform/database/connection.test.ts', ...DATABASE],
    },
    'src-main/platform/database/migrate.ts': {
      names: ['migrate', 'refuseBrokenReferences'],
      tests: ['src-main/platform/database/upgrade.test.ts', 'src-main/platform/database/upgrade-copy.test.ts'],
    },
    'src-main/platform/data-folder/generation.ts': {
      names: ['Generation.isCopy'],
      tests: ['src-main/platform/data-folder/generation.test.ts'],
    },
  },
};

const EQUAL = 'It chooses between two values that are equal there.';

/**
 * Mutants that no test can kill, by their key, with the reason.
 * @type {Record<string, string>}
 */
export const EXPLAINED = {
  'src-main/platform/limits/rate-limiter.ts RateLimiter.waitFor: wait <= ROUNDING_MS → wait < ROUNDING_MS':
    'No wait is exactly a microsecond: sums of fractions are not exact.',
  'src-main/payments/crowd.ts crowdRule: ids.length === 0 → false': 'It saves a write that would remove nothing.',
  'src-main/payments/crowd.ts crowdRule: going.length > 0 → going.length >= 0': 'It saves a round that would find nothing.',
  'src-main/payments/crowd.ts crowdOf: tooMany <= 0 → tooMany < 0': 'It saves a search of which nothing would be taken.',
  'src-main/ledger/ledger.ts carry: moved.debit < moved.credit → moved.debit <= moved.credit':
    'A constraint of the table refuses a transfer from a ledger account to itself.',
  'src-main/payments/outgoing/endings.ts giveBack: payment.grantId === null || payment.spendingWindow === null → (payment.grantId === null)':
    'A payment has a spending window when it has a grant, and only then. The types of the columns do not know that.',
  'src-main/payments/outgoing/endings.ts giveBack: payment.grantId === null || payment.spendingWindow === null → (payment.spendingWindow === null)':
    'A payment has a spending window when it has a grant, and only then. The types of the columns do not know that.',
  'src-main/payments/outgoing/endings.ts unusedOf: undelivered < unbought → undelivered <= unbought': EQUAL,
  'src-main/payments/outgoing/endings.ts unusedOf: unused > 0n → unused >= 0n': EQUAL,
  'src-main/payments/incoming/incoming-payments.ts roomOf: remaining < countable → remaining <= countable': EQUAL,
  'src-main/payments/incoming/peer-money.ts mostFromPeer: percent > 1n → percent >= 1n': EQUAL,
  'src-main/payments/incoming/peer-money.ts mostFromPeer: most < countable → most <= countable': EQUAL,
  'src-main/payments/incoming/peer-money.ts creditedOf: amount < missing → amount <= missing': EQUAL,
  "src-main/peers/peer-conversion.ts goOn: eq(c.arrived, $('arrivedBefore')) → undefined":
    'What has arrived follows from the rate and from what was sent, and the condition asks for both.',
  'src-main/platform/database/commits/commits-under-way.ts CommitsUnderWay.#hasArrived: number <= this.#durable → number < this.#durable':
    'Each commit has a sync of its own, so none arrives twice.',
  'src-main/platform/database/commits/write-queue.ts WriteQueue.gather: apart > 0 → apart >= 0':
    'A look after no time finds what the first look found.',
  'src-main/platform/database/commits/write-queue.ts WriteQueue.gather: clearTimeout(timer); → {}':
    'The timer ends within 8 ms, and nobody waits for it any more.',
  'src-main/platform/database/sqlite.ts SqliteDatabase.#begin: waited >= HELD_MS → waited > HELD_MS':
    'It tries once more, 25 ms later. Nothing depends on that.',
  'src-main/platform/database/sqlite.ts SqliteDatabase.#runApart: this.#control.release.run(); → {}':
    'The end of the transaction releases every savepoint that is left. Until then it costs memory only.',
  "src-main/access/grants/spending-limits.ts setCounter: eq(c.spent, bound('before', c.spent)) → undefined":
    'SQLite has one writer, so nothing comes between the read and the write. The condition is for an engine with more.',
  'src-main/access/grants/spending-limits.ts change: changed.length === 0 → false':
    'SQLite has one writer, so nothing comes between the read and the write. The condition is for an engine with more.',
  'src-main/access/grants/spending-limits.ts subtract: value === 0n → false':
    'Every payment has stored both counters, and taking nothing from one stores what it had.',
  'src-main/access/tokens/authenticate.ts Authenticator.authenticate: row === undefined || row.granted === null → (row === undefined)':
    'A token exists only after its grant has got its rights. The type of the column does not know that.',
};
