/** How many digits a PIN has. */
export const PIN_DIGITS = 6;

/** Why a PIN is refused: `form` for what is not six digits, the others for what people try first. */
export const PIN_FAULTS = ['form', 'same', 'run', 'repeated', 'common'] as const;
export type PinFault = (typeof PIN_FAULTS)[number];

/** Patterns of the pad and of the tongue that are none of the others. */
const COMMON: ReadonlySet<string> = new Set([
  ...['112233', '123321', '332211', '147258', '258369', '159753', '159357', '753159', '142536', '147852', '741852', '789456'],
  ...['456789', '520131', '131452', '007007', '100200', '102030', '112358', '314159', '271828', '246810', '135790', '135791'],
]);

/**
 * Why this is no good PIN. Birthdays cannot be told from other digits.
 * @returns undefined when it is good enough.
 */
export function faultOfPin(pin: string): PinFault | undefined {
  if (!/^[0-9]{6}$/.test(pin)) return 'form';
  const digits = [...pin].map(Number);
  const steps = new Set(digits.slice(1).map((digit, index) => (digit - (digits[index] ?? 0) + 10) % 10));
  const [step] = steps;
  if (steps.size === 1 && step === 0) return 'same';
  if (steps.size === 1 && (step === 1 || step === 9)) return 'run';
  if (/^(.{1,3})\1+$/.test(pin)) return 'repeated';
  return COMMON.has(pin) || new Set(digits).size < 3 ? 'common' : undefined;
}

/** The digits of what was typed, in the writing of the West: keyboards for Arabic, Persian and Hindi have others. */
export const digitsOf = (typed: string): string =>
  [...typed]
    .map((sign) => {
      const code = sign.codePointAt(0) ?? 0;
      const zero = ZEROS.find((one) => code >= one && code <= one + 9);
      return zero === undefined ? '' : String(code - zero);
    })
    .join('');

/** The ten digits of ASCII, of Arabic, of Persian, of Devanagari and of full width begin here in Unicode. */
const ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0xff10];
