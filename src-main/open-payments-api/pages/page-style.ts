/** The lengths of numbers: the pages' policy allows no style on an element. Longer ones may break. */
const LENGTHS = Array.from({ length: 40 }, (_, length) => `[data-characters="${length}"]{--characters:${length}}`).join('');

/**
 * The style of the node's public pages: the colours, sizes and round corners of the console. The pages load nothing.
 */
export const PAGE_STYLE = `
  :root {
    color-scheme: light dark;
    --page: light-dark(#f6f7f5, #141716); --card: light-dark(#fff, #1f2321); --line: light-dark(#e3e6e2, #343a37);
    --text: light-dark(#161d1a, #e4e8e5); --quiet: light-dark(#4b5551, #a5aca8); --brand: light-dark(#166c52, #1c7d60);
    --brand-text: light-dark(#166c52, #7cc6ab); --brand-soft: light-dark(#eaf6f1, #123a2d); --bad: light-dark(#b32a26, #ff857d);
    --bad-soft: light-dark(#fff1f0, #3a1d1b); --field: light-dark(#fff, #292e2b); --field-line: light-dark(#80897f, #6b746f);
    font: 1.0625rem/1.5 Inter, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Liberation Sans", system-ui, sans-serif;
    font-variant-numeric: tabular-nums;
  }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100dvh; display: grid; grid-template: 1fr auto / minmax(0, 1fr); place-items: center; padding: 1rem; background: var(--page); color: var(--text); }
  main { width: min(27rem, 100%); padding: 1.75rem 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
  h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 1rem; text-wrap: balance; overflow-wrap: anywhere; }
  h2 { font-size: 1.0625rem; line-height: 1.4; margin: 1.5rem 0 .5rem; }
  p { margin: 0 0 1rem; overflow-wrap: anywhere; }
  :is(p, form, section):last-child { margin-bottom: 0; }
  a { color: var(--brand-text); }
  .languages { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 .25rem; margin-top: 1rem; max-width: 34rem; font-size: .9375rem; }
  .languages a { padding: .5rem .625rem; border-radius: .625rem; color: var(--quiet); text-decoration: none; }
  .languages a::first-letter { text-transform: uppercase; }
  .languages a:hover { color: var(--brand-text); text-decoration: underline; }
  @media print { .languages { display: none; } }
  .quiet { color: var(--quiet); font-size: .9375rem; }
  .code { font: 600 4.5rem/1.1 ui-monospace, monospace; letter-spacing: .18em; margin: 1.5rem 0; text-align: center; padding: 1rem 0; padding-inline-start: .18em; direction: ltr; border-radius: .75rem; background: var(--page); border: 1px solid var(--line); }
  .address { direction: ltr; font: 600 .875rem/1.5 ui-monospace, monospace; padding: .75rem 1rem; border-radius: .75rem; background: var(--page); border: 1px solid var(--line); }
  .shop { display: flex; align-items: center; gap: .875rem; margin: 0 0 1.25rem; padding-bottom: 1.25rem; border-bottom: 1px solid var(--line); }
  .shop img { flex: none; width: 3.5rem; height: 3.5rem; object-fit: contain; border-radius: .5rem; background: #fff; }
  .shop strong { display: block; font-size: 1.125rem; line-height: 1.3; overflow-wrap: anywhere; }
  .shop .quiet { display: block; font-size: .875rem; line-height: 1.4; overflow-wrap: anywhere; }
  .shop div { min-width: 0; }
  .accounts { list-style: none; margin: 0; padding: 0; }
  .accounts li { border-top: 1px solid var(--line); }
  .accounts li:first-child { border-top: 0; }
  .accounts a { display: block; padding: .75rem 0; font-weight: 600; text-decoration: none; overflow-wrap: anywhere; }
  .accounts .quiet { display: block; font-weight: 400; text-align: start; }
  .centred { text-align: center; }
  .payee { color: var(--quiet); margin: 0; }
  .money { display: block; container-type: inline-size; }
  .money > span { display: block; line-height: 1.2; font-size: min(1em, calc(100cqi / (var(--characters, 1) * .6))); }
  .money > span > bdi > span { white-space: nowrap; }${LENGTHS}
  .amount { font-size: 2.375rem; font-weight: 650; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.01em; }
  .state { display: flex; align-items: center; gap: .5rem; margin: 0 0 1rem; font-weight: 550; }
  .state::before { content: ""; flex: none; width: .625rem; height: .625rem; border-radius: 1rem; background: var(--quiet); }
  .state[data-state="receiving"]::before, .state[data-state="busy"]::before { background: var(--brand-text); }
  .done { text-align: center; padding: .5rem 0 1rem; }
  .done svg { width: 5.5rem; height: 5.5rem; fill: var(--brand-text); }
  .done h1 { margin: .5rem 0 0; }
  meter { width: 100%; height: .625rem; margin: 0 0 .25rem; }
  hr { border: 0; border-top: 1px solid var(--line); margin: 1.25rem 0; }
  label { display: block; font-weight: 600; margin: 0 0 .25rem; }
  .hint { display: block; color: var(--quiet); font-size: .9375rem; margin: 0 0 .5rem; }
  input { width: 100%; min-height: 3rem; padding: .625rem .875rem; margin: 0 0 1rem; font: inherit; color: inherit; background: var(--field); border: 1px solid var(--field-line); border-radius: .625rem; }
  [dir="rtl"] input { unicode-bidi: plaintext; }
  button, .button { display: block; width: 100%; min-height: 3rem; padding: .75rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--brand-on, #fff); background: var(--brand); border: 1px solid var(--brand-edge, transparent); border-radius: .625rem; cursor: pointer; }
  :is(button, input, a, summary):focus-visible { outline: 3px solid var(--brand-text); outline-offset: 2px; }
  .choice { display: flex; align-items: flex-start; gap: .625rem; margin: 0 0 1rem; font-weight: 400; cursor: pointer; }
  .choice input { flex: none; width: 1.25rem; min-height: 1.25rem; height: 1.25rem; margin: .125rem 0 0; padding: 0; accent-color: var(--brand); }
  .what { margin: -.5rem 0 1rem; font-size: .9375rem; }
  .phone { margin: 1.25rem 0 0; }
  summary { color: var(--brand-text); cursor: pointer; padding: .25rem 0; }
  details p { margin: .5rem 0; }
  .phone img { display: block; width: min(220px, 100%); height: auto; margin: 0 auto; border-radius: .5rem; background: #fff; }
  @media (max-width: 40rem) and (pointer: coarse) { .phone { display: none; } }
  .alert { padding: .75rem 1rem; border-radius: .625rem; background: var(--bad-soft); color: var(--bad); }
  blockquote { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .625rem; background: var(--page); overflow-wrap: anywhere; }
  .bill { width: 100%; margin: 0 0 1rem; border-collapse: collapse; font-size: .9375rem; }
  .bill th { font-weight: 400; text-align: start; overflow-wrap: anywhere; }
  .bill td { text-align: end; white-space: nowrap; vertical-align: top; padding-inline-start: 1rem; }
  .bill tr > * { padding-block: .25rem; border-top: 1px solid var(--line); }
  .bill tr[data-kind="tax"] > * { color: var(--quiet); border-top: 0; }
  .bill tr[data-kind="total"] > * { font-weight: 650; border-top: 1px solid var(--text); }
  .note { margin: 0 0 1.25rem; padding: .75rem 1rem; border-radius: .625rem; background: var(--brand-soft); }
  dl { margin: 0 0 1rem; display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
  dt { color: var(--quiet); }
  dd { margin: 0; text-align: end; overflow-wrap: anywhere; min-width: 0; }`;
