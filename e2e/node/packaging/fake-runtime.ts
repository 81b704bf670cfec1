import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

/** This text stands before the fuses in every Electron binary. @electron/fuses looks for it. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const WIRE_VERSION = 1;
/** Electron ships its seven fuses so, off (0) or on (1): each otherwise than the package wants it. */
const SHIPPED = '101100011';

const fuses = (): Buffer => Buffer.concat([Buffer.from(SENTINEL), Buffer.from([WIRE_VERSION, SHIPPED.length]), Buffer.from(SHIPPED)]);

/** A program that has the fuses and does not run. */
const program = (): Buffer => Buffer.concat([Buffer.from('#!/bin/sh\nexit 1\n'), fuses()]);

/**
 * The same for Windows: without code, and with the one resource that has to be there, which says what the program is.
 */
function windowsProgram(): Buffer {
  const executable = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(executable);
  const version = Resource.VersionInfo.createEmpty();
  version.lang = 0x409;
  version.setStringValues({ lang: version.lang, codepage: 1200 }, { ProductName: 'Electron', CompanyName: 'Others' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(executable);
  executable.setExtraData(fuses());
  return Buffer.from(executable.generate());
}

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

/** The same for Windows. */
const windowsFiles = (): [path: string, content: string | Buffer][] => [
  ['electron.exe', windowsProgram()],
  ['resources/default_app.asar', ''],
  ...['LICENSE', 'LICENSES.chromium.html', 'version', 'ffmpeg.dll', 'locales/en-US.pak'].map((path): [string, string] => [path, '']),
];

const FILES = { linux: linuxFiles, mac: macFiles, win: windowsFiles };

/**
 * A folder that looks like an unpacked Electron to the packaging tools: a program with fuses in it, and nothing that
 * runs. Building with it needs no download, and shows what would be packed around the real one.
 */
export function makeFakeRuntime(folder: string, system: keyof typeof FILES): void {
  for (const [path, content] of FILES[system]()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    chmodSync(join(folder, path), 0o755);
  }
}
