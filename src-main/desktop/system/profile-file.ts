import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { writePrivateFile } from '../../platform/data-folder/data-folder.ts';

/** @returns undefined when there is no such file, or it holds something else. */
export function readProfileFile<T>(path: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    // Whatever is damaged counts as absent: what the file is for begins anew.
    return undefined;
  }
}

/** Writes the file whole or not at all. @returns whether it could be written. */
export function writeProfileFile(path: string, content: unknown): boolean {
  try {
    writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
    return true;
  } catch {
    // A full disk must not end the app; the caller decides what to say.
    return false;
  }
}
