import { join } from 'node:path';
import { z } from '../../../src-shared/zod.ts';
import { readProfileFile, writeProfileFile } from '../system/profile-file.ts';

const Stored = z.object({ device: z.string().min(1) });

/** Which printer of this computer prints receipts, kept in a file of the app's profile. */
export class ChosenPrinter {
  readonly #path: string;
  #device: string | undefined;

  constructor(profile: string) {
    this.#path = join(profile, 'receipt-printer.json');
    this.#device = readProfileFile(this.#path, Stored)?.device;
  }

  /** The name by which the system knows it. It is undefined while none was chosen here. */
  get device(): string | undefined {
    return this.#device;
  }

  /** @returns false when the choice could not be written. The former one still counts then. */
  choose(device: string): boolean {
    if (!writeProfileFile(this.#path, { device })) return false;
    this.#device = device;
    return true;
  }
}
