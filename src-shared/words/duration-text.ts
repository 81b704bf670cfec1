import { locale } from './language/locale.ts';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A length of time in the largest unit that divides it, such as "10 minutes". @param seconds more than 0 */
export function durationText(seconds: number, tag: string = locale()): string {
  const [unit, size] = UNITS.find(([, size]) => seconds % size === 0) ?? UNITS[3];
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size);
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A number of bytes in words, such as "120 kB" or "392 bytes". */
export function bytesText(bytes: number, tag: string = locale()): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), SIZES.length - 1);
  const unit = SIZES[step] ?? 'byte';
  // The short form of a byte has no plural in English.
  const unitDisplay = step === 0 ? 'long' : 'short';
  const maximumFractionDigits = step > 1 ? 1 : 0;
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(bytes / 1000 ** step);
}
