/** Letters in the order of the block Arabic Presentation Forms-B (U+FE80), each with how many forms it has there. */
const IN_ORDER =
  '\u06211\u06222\u06232\u06242\u06252\u06264\u06272\u06284\u06292\u062a4\u062b4\u062c4\u062d4\u062e4\u062f2\u06302\u06312\u06322' +
  '\u06334\u06344\u06354\u06364\u06374\u06384\u06394\u063a4\u06414\u06424\u06434\u06444\u06454\u06464\u06474\u06482\u06492\u064a4';
const FIRST_FORM = 0xfe_80;
/** Letters of other languages: the letter, its first form in Presentation Forms-A, and how many it has. */
const OTHERS: readonly (readonly [number, number, number])[] = [
  [0x06_7e, 0xfb_56, 4],
  [0x06_86, 0xfb_7a, 4],
  [0x06_98, 0xfb_8a, 2],
  [0x06_a9, 0xfb_8e, 4],
  [0x06_af, 0xfb_92, 4],
  [0x06_cc, 0xfb_fc, 4],
];
const LAM = 0x06_44;
/** Lam and one of these make one sign, of which this is the form that stands alone. */
const WITH_LAM: ReadonlyMap<number, number> = new Map([
  [0x06_22, 0xfe_f5],
  [0x06_23, 0xfe_f7],
  [0x06_25, 0xfe_f9],
  [0x06_27, 0xfe_fb],
]);
const TATWEEL = 0x06_40;

interface Forms {
  /** The form that stands alone; then follow the last one of a word, the first one and the one within. */
  readonly first: number;
  /** 4: it joins both neighbours. 2: it joins the letter before. 1: it joins none. */
  readonly count: number;
}

const FORMS: ReadonlyMap<number, Forms> = new Map([
  ...tableOf(IN_ORDER),
  ...OTHERS.map(([letter, first, count]) => [letter, { first, count }] as const),
]);

function* tableOf(text: string): Generator<[number, Forms]> {
  let first = FIRST_FORM;
  for (const [, letter = '', count = ''] of text.matchAll(/(\D)(\d)/g)) {
    yield [letter.charCodeAt(0), { first, count: Number(count) }];
    first += Number(count);
  }
}

/** Marks above and below letters. They change nothing about how letters join. */
export const isMark = (code: number): boolean => (code >= 0x06_4b && code <= 0x06_5f) || code === 0x06_70;

const joinsNext = (code: number | undefined): boolean => code === TATWEEL || (code !== undefined && FORMS.get(code)?.count === 4);
const joinsBefore = (code: number | undefined): boolean => code === TATWEEL || (code !== undefined && (FORMS.get(code)?.count ?? 0) >= 2);

/** The nearest letter in a direction, past marks. */
function neighbour(codes: readonly number[], from: number, step: 1 | -1): number | undefined {
  let at = from + step;
  while (isMark(codes[at] ?? 0)) at += step;
  return codes[at];
}

/** The form of the letter at a place: alone, last, first or within. */
function formAt(codes: readonly number[], at: number): number {
  const code = codes[at] ?? 0;
  const isAfter = joinsNext(neighbour(codes, at, -1)) && joinsBefore(code) ? 1 : 0;
  const alef = code === LAM ? WITH_LAM.get(codes[at + 1] ?? 0) : undefined;
  if (alef !== undefined) return alef + isAfter;
  const forms = FORMS.get(code);
  if (forms === undefined) return code;
  const isBefore = forms.count === 4 && joinsBefore(neighbour(codes, at, 1));
  return forms.first + isAfter + (isBefore ? 2 : 0);
}

/**
 * Puts Arabic letters into the form that they have beside their neighbours (Unicode, Arabic Presentation Forms). The
 * text stays in the order in which it is read.
 */
export function shaped(text: string): string {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  const isPartOfLam = (at: number) => codes[at - 1] === LAM && WITH_LAM.has(codes[at] ?? 0);
  return String.fromCodePoint(...codes.flatMap((_, at) => (isPartOfLam(at) ? [] : [formAt(codes, at)])));
}
