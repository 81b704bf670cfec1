import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Before the fuses in every Electron binary, as @electron/fuses looks for it. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const WIRE_VERSION = 1;
/** As Electron ships them: which may be off (0), on (1). */
const SHIPPED = '101100011';

/**
 * A folder that looks like an unpacked Electron for Linux to the packaging tools: a program with fuses in it, and nothing that runs. Building with it
 * needs no download, and shows what would be packed around the real one.
 */
export function makeFakeRuntime(folder: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'), { recursive: true });
  const wire = Buffer.concat([Buffer.from(SENTINEL), Buffer.from([WIRE_VERSION, SHIPPED.length]), Buffer.from(SHIPPED)]);
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('#!/bin/sh\nexit 1\n'), wire]));
  chmodSync(join(folder, 'electron'), 0o755);
  writeFileSync(join(folder, 'resources/default_app.asar'), '');
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'chrome-sandbox', 'locales/en-US.pak'])
    writeFileSync(join(folder, name), '');
}
