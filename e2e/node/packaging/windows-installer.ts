import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { root } from '../../../scripts/project.mjs';

// `node e2e/node/packaging/windows-installer.ts RUNTIME OUTPUT`: the app's folder for Windows, and in installer.json
// what its installer would be compiled with. There it stops, for the compiler is fetched; so is what packs the folder,
// in whose place nothing is packed.
const [electronDist = '', output = ''] = process.argv.slice(2);
const packs = join(output, '7za');
mkdirSync(output, { recursive: true });
writeFileSync(packs, '#!/bin/sh\nfor file; do case "$file" in *.7z) : > "$file" ;; esac; done\n');
chmodSync(packs, 0o755);
process.env.ELECTRON_BUILDER_7ZIP_PATH = packs;
await build({
  projectDir: root,
  targets: Platform.WINDOWS.createTarget('nsis', Arch.x64),
  publish: 'never',
  config: { extends: './electron-builder.yml', electronDist, directories: { output } },
  effectiveOptionComputed: async (options) => {
    writeFileSync(join(output, 'installer.json'), JSON.stringify(options));
    return true;
  },
});
