// @ts-check

/** @typedef {import('./floors.mjs').Violation} Violation */

/** A migration of PostgreSQL. The first one makes the tables, and no replica runs before it. */
const MIGRATION = /^drizzle\/postgres\/(?!0000_)[^/]+\.sql$/;
/** A line of a migration that takes something away must say why no replica of the version before needs it. */
const WHY = /^-- takes away: \S/m;
const BREAKPOINT = '--> statement-breakpoint';

/** What a statement must not do while replicas of the version before work with the tables. */
const TAKES_AWAY = [
  { pattern: /\bdrop\b/i, words: 'drops something' },
  { pattern: /\brename\b/i, words: 'renames something' },
  { pattern: /\bset\s+not\s+null\b/i, words: 'forbids null' },
  { pattern: /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i, words: 'changes a type' },
  { pattern: /^\s*(delete\s+from|truncate)\b/i, words: 'removes rows' },
];
const NOT_NULL = /\badd\s+(?:column\s+)?(?!constraint\b)[^,;]*\bnot\s+null\b/i;
const DEFAULT = /\bdefault\b/i;
const CREATED = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/gi;
/** A promise about rows, which an older version may break. */
const PROMISES = [/\balter\s+table\s+"?(\w+)"?\s+add\s+constraint\b/i, /\bcreate\s+unique\s+index\b.*?\son\s+"?(\w+)"?/is];

/**
 * Finds statements of a PostgreSQL migration that do more than add. Replicas of the version before work on beside the
 * one that migrates (decisions.md#D-104).
 * @param {string} path
 * @param {string} text
 * @returns {Violation[]}
 */
export function narrowingMigrations(path, text) {
  if (!MIGRATION.test(path) || WHY.test(text)) return [];
  const isNew = new Set([...text.matchAll(CREATED)].map(([, table]) => table));
  let line = 1;
  return text.split(BREAKPOINT).flatMap((statement) => {
    const code = statement.replaceAll(/^\s*--.*$/gm, '').replaceAll(/'(?:[^']|'')*'/g, "''");
    const at = line + (/^\s*/.exec(statement)?.[0].split('\n').length ?? 1) - 1;
    line += statement.split('\n').length - 1;
    const words = [
      ...TAKES_AWAY.filter(({ pattern }) => pattern.test(code)).map((one) => one.words),
      ...(NOT_NULL.test(code) && !DEFAULT.test(code) ? ['adds a column that must have a value, and has no default'] : []),
      ...PROMISES.flatMap((pattern) => pattern.exec(code)?.[1] ?? [])
        .filter((table) => !isNew.has(table))
        .map((table) => `promises something of rows in ${table} that an older version may break`),
    ];
    return words.map((what) => ({
      path,
      line: at,
      words: `${what}; replicas of the version before work beside it. Add, or say why on a line “-- takes away: …”`,
    }));
  });
}
