import { lengthBeside, PAPERS, type Paper } from '../../../src-shared/receipts/papers.ts';

/** How long a page of a roll is while nobody has measured the receipt, in millimetres. */
const ROLL_MM = 200;

/** The style of a receipt: on the screen it is as wide as on its paper, and on paper it is black on white and alone. */
export function receiptStyle(paper: Paper): string {
  const { width, margin } = PAPERS[paper];
  const isRoll = paper !== 'a4';
  const page = isRoll ? `${width}mm ${ROLL_MM}mm` : 'A4';
  return `
  main { width: ${isRoll ? `calc(${width - 2 * margin}mm + 3rem + 2px)` : 'min(34rem, 100%)'}; max-width: 100%; }
  .receipt { ${isRoll ? 'font-size: 8pt; line-height: 1.35;' : ''} }
  .receipt h1 { ${isRoll ? 'font-size: 11pt;' : ''} margin-bottom: .5rem; }
  ${isRoll ? '.receipt :is(.bill, .quiet, .shop .quiet, dl) { font-size: inherit; } .receipt .shop { flex-wrap: wrap; } .receipt .shop strong { font-size: 10pt; } .receipt .bill td { padding-inline-start: .5rem; } .receipt dl { grid-template-columns: 1fr; gap: 0; } .receipt dd { text-align: start; margin-bottom: .25rem; }' : ''}
  .receipt .bill tr[data-kind="paid"] > * { border-top: 0; }
  .copy { display: inline-block; margin: 0 0 .5rem; padding: 0 .5rem; border: 2px solid; border-radius: .25rem; font-weight: 700; text-transform: uppercase; letter-spacing: .08em; }
  .closing { text-align: center; font-weight: 600; }
  .qr { display: block; width: 32mm; max-width: 100%; margin: .5rem auto; background: #fff; }
  .actions { display: grid; gap: .75rem; margin: 1.25rem 0 0; }
  button.second { color: var(--text); background: none; border-color: var(--field-line); }
  .papers { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
  .papers a { padding: .5rem .75rem; border: 1px solid var(--field-line); border-radius: .625rem; text-decoration: none; }
  .papers a[aria-current] { border-color: var(--brand-text); font-weight: 600; }
  textarea { width: 100%; min-height: 9rem; padding: .625rem .875rem; margin: 0 0 1rem; font: .875rem/1.4 ui-monospace, monospace; color: inherit; background: var(--field); border: 1px solid var(--field-line); border-radius: .625rem; }
  textarea:focus-visible { outline: 3px solid var(--brand-text); outline-offset: 2px; }
  @page { size: ${page}; margin: ${margin}mm; }
  @media print {
    :root { color-scheme: light; --page: #fff; --card: #fff; --line: #777; --text: #000; --quiet: #000; }
    body { display: block; min-height: 0; padding: 0; }
    main { width: auto; max-width: none; padding: 0; border: 0; border-radius: 0; }
    .actions { display: none; }
    .receipt tr { break-inside: avoid; }
  }`;
}

/**
 * Prints. A roll is as long as the receipt, which the page measures on the screen, where it is as wide as on the roll.
 * It reads {@link paperData}.
 */
export const RECEIPT_SCRIPT = `
  const receipt = document.querySelector('.receipt');
  const button = document.querySelector('button[data-print]');
  const { width, spare } = receipt.dataset;
  if (width !== '') {
    const [sheet] = document.styleSheets;
    const height = Math.ceil(receipt.getBoundingClientRect().height * 25.4 / 96) + Number(spare);
    sheet.insertRule('@page { size: ' + width + 'mm ' + height + 'mm; }', sheet.cssRules.length);
  }
  button.hidden = false;
  button.addEventListener('click', () => print());`;

/** Tells the script the width of the roll, and how much longer than the receipt it is, in millimetres. */
export const paperData = (paper: Paper): string =>
  `data-width="${paper === 'a4' ? '' : PAPERS[paper].width}" data-spare="${lengthBeside(paper)}"`;
