import { isAbsolute, relative } from 'node:path';

/**
 * The path of the AppImage from which this program runs. The path of the program itself lies in a folder that is gone
 * when the program ends. When another AppImage has started this program, the variables that it left in the environment
 * do not count.
 * @returns undefined when the program does not run from an AppImage.
 */
export function appImage(program = process.execPath, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { APPIMAGE: image, APPDIR: folder } = env;
  if (image === undefined || folder === undefined || !isAbsolute(image) || !isAbsolute(folder)) return undefined;
  const inside = relative(folder, program);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? undefined : image;
}
