import { readFileSync } from 'node:fs';
import type { z } from '../../../src-shared/zod.ts';
import { writePrivateFile } from '../../platform/data-folder/data-folder.ts';

/** @returns undefined when there is no such file, or when it holds something else */
export function readProfileFile<T>(path: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    // A damaged file counts as absent, and its content starts from the beginning.
    return undefined;
  }
}

/** Writes the whole file or leaves the old one. @returns whether it could be written */
export function writeProfileFile(path: string, content: unknown): boolean {
  try {
    writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
    return true;
  } catch {
    // A full disk must not end the app. The caller decides what to tell the operator.
    return false;
  }
}
