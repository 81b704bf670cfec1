import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Before the fuses in every Electron binary, as @electron/fuses looks for it. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const WIRE_VERSION = 1;
/** As Electron ships them, off (0) or on (1): each of the seven otherwise than the package wants it. */
const SHIPPED = '101100011';

/** What has the fuses, and does not run. */
const program = (): Buffer =>
  Buffer.concat([
    Buffer.from('#!/bin/sh\nexit 1\n'),
    Buffer.from(SENTINEL),
    Buffer.from([WIRE_VERSION, SHIPPED.length]),
    Buffer.from(SHIPPED),
  ]);

const propertyList = (name: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>${name}</string>
<key>CFBundleIdentifier</key><string>com.github.Electron</string>
<key>CFBundleName</key><string>${name}</string>
</dict></plist>`;

/** What a runtime for Linux consists of, as far as packaging looks. */
const linuxFiles = (): [path: string, content: string | Buffer][] => [
  ['electron', program()],
  ['resources/default_app.asar', ''],
  ...['LICENSE', 'LICENSES.chromium.html', 'version', 'chrome-sandbox', 'locales/en-US.pak'].map((path): [string, string] => [path, '']),
];

/** The same for macOS: the app and the helpers inside it. */
const macFiles = (): [path: string, content: string | Buffer][] => {
  const app = 'Electron.app/Contents';
  const helpers = ['Electron Helper', 'Electron Helper (Renderer)', 'Electron Helper (GPU)', 'Electron Helper (Plugin)'];
  return [
    [`${app}/Info.plist`, propertyList('Electron')],
    [`${app}/MacOS/Electron`, ''],
    [`${app}/Resources/electron.icns`, ''],
    [`${app}/Resources/default_app.asar`, ''],
    [`${app}/Frameworks/Electron Framework.framework/Electron Framework`, program()],
    ...helpers.flatMap((name): [string, string][] => [
      [`${app}/Frameworks/${name}.app/Contents/Info.plist`, propertyList(name)],
      [`${app}/Frameworks/${name}.app/Contents/MacOS/${name}`, ''],
    ]),
  ];
};

/**
 * A folder that looks like an unpacked Electron to the packaging tools: a program with fuses in it, and nothing that runs. Building with it needs no
 * download, and shows what would be packed around the real one.
 */
export function makeFakeRuntime(folder: string, system: 'linux' | 'mac'): void {
  for (const [path, content] of system === 'linux' ? linuxFiles() : macFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    chmodSync(join(folder, path), 0o755);
  }
}
