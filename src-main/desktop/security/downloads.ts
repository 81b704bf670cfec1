import { dialogs } from '../../../src-shared/words/desktop/dialogs.ts';
import { isConsoleUrl } from './navigation.ts';

/** What of Electron's DownloadItem is used. */
export interface Download {
  getURL(): string;
  getFilename(): string;
  setSaveDialogOptions(options: { title: string; defaultPath: string }): void;
}

/** Whether the page itself has made what is to be saved, as exports and keys are: never something that is fetched from elsewhere. */
export const isOwnDownload = (url: string): boolean => url.startsWith('blob:') && isConsoleUrl(url.slice('blob:'.length));

/**
 * Has the person say where a file goes that the console hands out; every other download is stopped.
 * @param join gives the path that the dialog begins with for a file's name
 */
export function answerDownload(event: { preventDefault(): void }, item: Download, join: (name: string) => string): void {
  if (!isOwnDownload(item.getURL())) {
    event.preventDefault();
    return;
  }
  item.setSaveDialogOptions({ title: dialogs.saveTitle, defaultPath: join(item.getFilename()) });
}
