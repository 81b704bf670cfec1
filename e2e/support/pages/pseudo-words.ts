/**
 * Turns every text of the console's catalogues into one of a language that nobody speaks: its letters have marks, it is
 * half as long again, and it stands between brackets. The function runs in the page before the console starts, so it
 * uses nothing from outside itself.
 */
export function speakPseudo(): void {
  const marked: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ö', u: 'ü', A: 'Á', E: 'É', I: 'Í', O: 'Ö', U: 'Ü', n: 'ñ', c: 'ç' };
  const pseudo = (text: string): string => {
    const letters = [...text].map((letter) => marked[letter] ?? letter).join('');
    const more = Math.ceil(text.length * 0.4);
    const padding = Array.from({ length: more }, (_, index) => (index % 7 === 0 ? ' ' : 'ö')).join('');
    return text.trim() === '' ? text : `⟦${letters}${padding}⟧`;
  };
  const isPlain = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const turned = (value: unknown): unknown => {
    if (typeof value === 'string') return pseudo(value);
    if (Array.isArray(value)) return value.map(turned);
    // Facts that do not come from the catalogues stay as they are.
    if (isPlain(value))
      return 'strong' in value ? value : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, turned(one)]));
    if (typeof value === 'function') return (...given: unknown[]) => turned((value as (...given: unknown[]) => unknown)(...given));
    return value;
  };
  Reflect.set(globalThis, 'paydeskWords', turned);
}
