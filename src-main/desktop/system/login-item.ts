import { join } from 'node:path';

/** Makes the app start without showing its window. */
export const HIDDEN = '--hidden';

/** How this system starts a program when a person logs in: by a call of Electron's, by a file, or not at all. */
export type LoginItem =
  | { kind: 'system'; arguments: readonly string[] }
  | { kind: 'file'; path: string; content: string }
  | { kind: 'none' };

/** What is started: the packaged app by itself, else Electron with the app's folder. */
export interface Program {
  executable: string;
  arguments: readonly string[];
}

/** @param configFolder where Linux desktops look for what to start (XDG autostart), such as `~/.config` */
export function loginItem(platform: NodeJS.Platform, program: Program, configFolder: string): LoginItem {
  if (platform === 'darwin' || platform === 'win32') {
    // The call takes this very program, quotes what it is given (Windows), and leaves the arguments alone on macOS.
    return { kind: 'system', arguments: [...program.arguments, HIDDEN] };
  }
  if (platform !== 'linux') return { kind: 'none' };
  return { kind: 'file', path: join(configFolder, 'autostart', 'paydesk.desktop'), content: autostartEntry(program) };
}

/** As the Desktop Entry Specification has it: every argument quoted, and the whole escaped once more as text of a file. */
function autostartEntry({ executable, arguments: given }: Program): string {
  const quoted = (text: string) => `"${text.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  const exec = [executable, ...given, HIDDEN].map(quoted).join(' ').replaceAll('\\', '\\\\');
  return ['[Desktop Entry]', 'Type=Application', 'Name=paydesk', `Exec=${exec}`, 'Terminal=false', ''].join('\n');
}
