// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, runNode } from './project.mjs';

export const SBOM_NAME = 'sbom.cdx.json';

/**
 * Writes the list of all packages (CycloneDX) beside the desktop packages. It follows the lock file and needs no
 * network. Packages that only build and test carry a mark there; some of them, such as React, are bundled into the app,
 * so they are not left out.
 * @param {string} folder
 */
export async function writeSbom(folder) {
  const { code, output } = await npm(['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=silent']);
  if (code !== 0) throw new Error(`npm sbom failed: ${output.trim()}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, SBOM_NAME), output);
}

/** Runs the npm that runs this script; without one, the npm that the system finds. @param {string[]} args */
function npm(args) {
  const cli = process.env.npm_execpath;
  return cli === undefined ? run('npm', args, { quiet: true }) : runNode(cli, args, { quiet: true });
}
