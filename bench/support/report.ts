import { availableParallelism, cpus, release } from 'node:os';

/** One line of the table: what was measured, and its figures by column. */
export type Row = Readonly<Record<string, string>>;

/** One goal of the project. `met` says whether this run met it; it is undefined where the run could not measure it. */
export interface Goal {
  name: string;
  met: boolean | undefined;
  figure: string;
}

/** The machine of a run, in one line. */
export const machine = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${process.platform} ${release()}, Node ${process.version}`;

/** Prints rows under the columns they name, in the order in which the columns first appear. */
export function printTable(rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  for (const line of lines) {
    const cells = line.map((text, index) => (index === 0 ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0)));
    console.log(cells.join('  ').trimEnd());
  }
}

export function printGoals(goals: readonly Goal[]): void {
  const words = (met: boolean | undefined): string => (met === undefined ? 'not measured' : met ? 'met' : 'NOT MET');
  for (const { name, met, figure } of goals) console.log(`${words(met).padEnd(12)}  ${name}: ${figure}`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** The value below which this share of sorted values lies. */
export const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
export const rate = (perSecond: number): string => `${perSecond.toFixed(0)}/s`;
