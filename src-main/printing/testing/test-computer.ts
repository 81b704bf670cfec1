import type { PrintedPage } from '../printer-lines.ts';

/** The printers of a computer for tests, which record what they get. One of them is chosen. */
export class TestComputer {
  /** The names by which the system knows its printers. */
  devices = ['Office_A4', 'Counter_80'];
  chosen: string | undefined = 'Counter_80';
  /** Whether a choice can be written. */
  canKeep = true;
  /** What becomes of a page: the system takes it, refuses it, or says nothing. */
  manner: 'takes' | 'refuses' | 'says_nothing' = 'takes';
  readonly pages: PrintedPage[] = [];

  async list() {
    return this.devices.map((device) => ({ device, name: device.replace('_', ' '), isChosen: device === this.chosen }));
  }

  choose(device: string): boolean {
    if (this.canKeep) this.chosen = device;
    return this.canKeep;
  }

  async isThere(): Promise<boolean> {
    return this.chosen !== undefined && this.devices.includes(this.chosen);
  }

  async print(page: PrintedPage): Promise<boolean> {
    if (this.manner === 'says_nothing') return await new Promise(() => undefined);
    if (this.manner === 'takes') this.pages.push(page);
    return this.manner === 'takes';
  }
}
