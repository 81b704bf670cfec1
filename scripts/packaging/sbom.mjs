// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, runNode } from '../project.mjs';

export const SBOM_NAME = 'sbom.cdx.json';

/**
 * Writes the list of all npm packages (CycloneDX) beside the desktop packages. It is made from the lock file and needs
 * no network. The list marks packages that serve only to build and test. It does not leave them out, because some of
 * them, such as React, are bundled into the app.
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
