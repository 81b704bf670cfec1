import { join } from 'node:path';

/** Makes the app start without showing its window. */
export const HIDDEN = '--hidden';

/** How this system starts a program when a person logs in: by a call of Electron, by a file, or not at all. */
export type LoginItem =
  | { kind: 'system'; arguments: readonly string[] }
  | { kind: 'file'; path: string; content: string }
  | { kind: 'none' };

/** The program to start: the packaged app, or Electron with the app's folder. */
interface Program {
  executable: string;
  arguments: readonly string[];
}

/** @param configFolder where Linux desktops look for what to start (XDG autostart), such as `~/.config` */
export function loginItem(platform: NodeJS.Platform, program: Program, configFolder: string): LoginItem {
  if (platform === 'darwin' || platform === 'win32') {
    // Electron's call starts this very program. It quotes the arguments on Windows and ignores them on macOS.
    return { kind: 'system', arguments: [...program.arguments, HIDDEN] };
  }
  if (platform !== 'linux') return { kind: 'none' };
  return { kind: 'file', path: join(configFolder, 'autostart', 'paydesk.desktop'), content: autostartEntry(program) };
}

/**
 * The file's text by the Desktop Entry Specification: every argument is quoted, and the whole line is escaped once
 * more.
 */
function autostartEntry({ executable, arguments: given }: Program): string {
  const quoted = (text: string) => `"${text.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  const exec = [executable, ...given, HIDDEN].map(quoted).join(' ').replaceAll('\\', '\\\\');
  return ['[Desktop Entry]', 'Type=Application', 'Name=paydesk', `Exec=${exec}`, 'Terminal=false', ''].join('\n');
}
