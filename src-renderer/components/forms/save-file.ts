/** Has the browser save text or bytes as a file. They do not leave the computer. */
export function saveFile(name: string, type: string, parts: readonly (string | Uint8Array<ArrayBuffer>)[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read them by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
