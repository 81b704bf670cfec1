import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { z } from '../../src-shared/zod.ts';

const { made, recorded, isSchema } = vi.hoisted(() => {
  const isSchema = (value: unknown): value is z.ZodType => typeof value === 'object' && value !== null && '_zod' in value;
  /** Every schema that a module has made with a function of zod. */
  const made = new Set<z.ZodType>();
  const recorded = (make: (...args: unknown[]) => unknown) =>
    Object.assign((...args: unknown[]) => {
      const schema = make(...args);
      if (isSchema(schema)) made.add(schema);
      return schema;
    }, make);
  return { made, recorded, isSchema };
});

vi.mock('../../src-shared/typed-zod.ts', async (importOriginal) => {
  const zod = await importOriginal<Record<string, unknown>>();
  // Zod's functions have small first letters, its classes have not.
  return Object.fromEntries(
    Object.entries(zod).map(([name, value]) => [
      name,
      typeof value === 'function' && /^[a-z]/.test(name) ? recorded(value as never) : value,
    ]),
  );
});

// Modules of the desktop app are only imported, and use nothing of it.
vi.mock('electron', () => ({}));

const ROOTS = ['src-main', 'src-shared', 'src-renderer'];
/** They start something when they are imported. */
const ENTRIES = /(^|\/)(entry|main|preload|worker)\.ts$/;

const modules = ROOTS.flatMap((root) => globSync(`${root}/**/*.{ts,tsx}`)).filter(
  (path) => !/\.test\.tsx?$|\/testing\//.test(path) && !ENTRIES.test(path) && /from '[^']*\/zod\.ts'/.test(readFileSync(path, 'utf8')),
);

const HOSTILE: unknown[] = [
  '{"length":{"toString":1}}',
  '{"length":{"valueOf":1,"toString":1}}',
  '{"length":null,"size":{"toString":1},"toString":1,"valueOf":1}',
  '{"toString":1,"valueOf":1,"toJSON":1}',
  '{"constructor":1,"then":1,"hasOwnProperty":1}',
  '[{"length":{"toString":1}}]',
  '{"0":"a","length":1}',
].map((text): unknown => JSON.parse(text));
/** Texts of every length that a schema may ask for, each with a NUL character in it. */
const WITH_NUL = ['\0', 'a\0', 'https://wallet.example/\0', `${'a'.repeat(42)}\0`, '1\0', '\0'.repeat(36), '\0'.repeat(64)];

/** The schemas that a schema consists of. */
function parts(schema: z.ZodType): z.ZodType[] {
  // Checks and transforms run on values of the right type only, so that nothing is parsed with them here.
  const def: Record<string, unknown> = { ...schema._zod.def, checks: undefined };
  const members = Object.values(def).flatMap((value) => (isObject(value) && !isSchema(value) ? Object.values(value) : [value]));
  return members.filter((member) => isSchema(member) && member._zod.def.type !== 'transform');
}
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function withParts(schemas: Iterable<z.ZodType>): Set<z.ZodType> {
  const all = new Set<z.ZodType>();
  const add = (schema: z.ZodType): void => {
    if (all.has(schema)) return;
    all.add(schema);
    for (const part of parts(schema)) add(part);
  };
  for (const schema of schemas) add(schema);
  return all;
}

/** Whether a schema takes whatever comes. What it takes is checked where it is used. */
const isFormless = (schema: z.ZodType): boolean => schema.safeParse(Symbol('anything')).success;

async function allSchemas(): Promise<Set<z.ZodType>> {
  const exported: z.ZodType[] = [];
  for (const path of modules) {
    const module = (await import(/* @vite-ignore */ `../../${path}`)) as Record<string, unknown>;
    exported.push(...Object.values(module).filter(isSchema));
  }
  return withParts([...made, ...exported]);
}

describe('hostile values', () => {
  it('never make a schema of the project throw', async () => {
    const all = await allSchemas();
    const thrown = new Set<string>();
    for (const schema of all) {
      for (const value of HOSTILE) {
        try {
          await schema.safeParseAsync(value);
        } catch (error) {
          thrown.add(`${schema._zod.def.type} ${JSON.stringify(value)}: ${String(error)}`);
        }
      }
    }
    expect([...thrown]).toEqual([]);
    expect(modules.length).toBeGreaterThan(50);
    for (const root of ['src-main/desktop/', 'src-renderer/']) expect(modules.some((path) => path.startsWith(root))).toBe(true);
    expect(all.size).toBeGreaterThan(300);
  }, 60_000);

  it('with a NUL character are taken by no schema of the project', async () => {
    const taken = new Set<string>();
    for (const schema of await allSchemas()) {
      if (isFormless(schema)) continue;
      for (const value of WITH_NUL) {
        const parsed = await schema.safeParseAsync(value);
        if (parsed.success && JSON.stringify(parsed.data)?.includes('\\u0000'))
          taken.add(`${schema._zod.def.type} ${JSON.stringify(value)}`);
      }
    }
    expect([...taken]).toEqual([]);
  }, 60_000);

  it('are refused where text or an array of some length is expected', () => {
    for (const schema of [z.string().max(9), z.string().trim().min(1), z.array(z.string()).length(1), z.array(z.string()).min(1).max(2)])
      for (const value of HOSTILE.slice(0, 3)) expect(schema.safeParse(value).success).toBe(false);
    expect(z.string().max(1).safeParse('ab').error?.issues[0]?.code).toBe('too_big');
    expect(z.array(z.string()).min(1).safeParse([]).error?.issues[0]?.code).toBe('too_small');
  });
});
