import { plainNumberText } from '../amount-text.ts';
import { locale } from '../language/locale.ts';

const PER_UNIT = 100_000;

/** A tax rate as people read it, such as 19 % or 5.5 %. @param rate in thousandths of a percent */
export const taxRateText = (rate: number, tag: string = locale()): string =>
  new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 3 }).format(rate / PER_UNIT);

/** A tax rate as a field holds it, such as `5.5`. @param rate in thousandths of a percent */
export const taxRateInputText = (rate: number): string => plainNumberText(String(rate / 1_000));
