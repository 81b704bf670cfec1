/** Has the browser save text as a file. The text does not leave the computer. */
export function saveFile(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the text by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
