import { isAbsolute, relative } from 'node:path';

/**
 * The AppImage this program runs from: the path of the program itself lies in a folder that is gone when it ends. What another AppImage has left in the
 * environment of a program it has started does not count.
 * @returns undefined when there is none.
 */
export function appImage(program = process.execPath, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { APPIMAGE: image, APPDIR: folder } = env;
  if (image === undefined || folder === undefined || !isAbsolute(image) || !isAbsolute(folder)) return undefined;
  const inside = relative(folder, program);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? undefined : image;
}
