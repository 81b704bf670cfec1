import { type Day, dayAt, daysLater, offsetAt, QUARTER_MS, type ShopDays, startOfDay } from '../calendar.ts';

const MINUTE_MS = 60_000;
const two = (number: number): string => String(number).padStart(2, '0');

/**
 * Tells the day of the shop and the time on its clock for moments that follow each other. Asking the calendar for each
 * of a million moments would take minutes, so the day and the offset are kept as long as they hold.
 */
export class ShopTime {
  readonly #days: ShopDays;
  #day: Day = '';
  #from = 0;
  #until = 0;
  #quarter = Number.NaN;
  #offset = 0;

  constructor(days: ShopDays) {
    this.#days = days;
  }

  /** @param at milliseconds since the Unix epoch */
  dayOf(at: number): Day {
    if (at < this.#from || at >= this.#until) {
      this.#day = dayAt(at, this.#days);
      this.#from = startOfDay(this.#day, this.#days);
      this.#until = startOfDay(daysLater(this.#day, 1), this.#days);
    }
    return this.#day;
  }

  /** The time on the shop's clock to the second, with its offset (ISO 8601). */
  localOf(at: number): string {
    // Clocks are changed on a quarter of an hour.
    const quarter = Math.floor(at / QUARTER_MS);
    if (quarter !== this.#quarter) {
      this.#quarter = quarter;
      this.#offset = offsetAt(at, this.#days.timeZone);
    }
    const minutes = Math.round(this.#offset / MINUTE_MS);
    const size = Math.abs(minutes);
    const wall = new Date(at + this.#offset).toISOString().slice(0, 19);
    return `${wall}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  }
}
