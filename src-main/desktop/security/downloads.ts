import { dialogs } from '../../../src-shared/words/desktop/dialogs.ts';
import { isConsoleUrl } from './navigation.ts';

/** The part of Electron's DownloadItem that is used. */
interface Download {
  getURL(): string;
  getFilename(): string;
  setSaveDialogOptions(options: { title: string; defaultPath: string }): void;
}

/** Whether the page itself has made the file, as it makes exports and keys, and not fetched it from elsewhere. */
export const isOwnDownload = (url: string): boolean => url.startsWith('blob:') && isConsoleUrl(url.slice('blob:'.length));

/**
 * Asks the person where to save a file of the console, and stops every other download.
 * @param join gives the path that the dialog suggests for a file's name
 */
export function answerDownload(event: { preventDefault(): void }, item: Download, join: (name: string) => string): void {
  if (!isOwnDownload(item.getURL())) {
    event.preventDefault();
    return;
  }
  item.setSaveDialogOptions({ title: dialogs.saveTitle, defaultPath: join(item.getFilename()) });
}
