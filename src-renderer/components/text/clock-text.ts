import { locale } from '../../../src-shared/words/language/locale.ts';

/** Milliseconds that are left as minutes and seconds, such as `9:05`, in the reader's digits. Below 0 it is 0:00. */
export function clockText(ms: number, tag: string = locale()): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const two = new Intl.NumberFormat(tag, { minimumIntegerDigits: 2 });
  return `${new Intl.NumberFormat(tag).format(minutes)}:${two.format(rest)}`;
}
