import { CONNECT } from '../../src-shared/desktop-channel.ts';
import { passphrase as words } from '../../src-shared/words/desktop/passphrase.ts';
import { loadPassphraseWords } from '../components/language/load-words.ts';
import './passphrase-page.css';

// This page has none of the console's parts. The node does not run yet, and the passphrase goes through a private port
// only.

await loadPassphraseWords();

/** Whether the operator chooses a passphrase. Otherwise they type the one that they chose before. */
const first = new URLSearchParams(location.search).has('first');
const MIN_LENGTH = 12;

const { title, lead, button: buttonWords } = first ? words.choose : words.open;
const root = document.getElementById('root');
const form = document.createElement('form');
const typed = field(words.label);
const again = first ? field(words.again) : undefined;
const problem = Object.assign(document.createElement('p'), { role: 'alert' });
const button = Object.assign(document.createElement('button'), { textContent: buttonWords });
form.append(...typed.parts, ...(again?.parts ?? []), problem, button);
const leads = first ? [lead, words.choose.lost] : [lead];
root?.append(text('h1', title), ...leads.map((one) => text('p', one)), form);
typed.input.focus();

const { port1, port2 } = new MessageChannel();
window.postMessage(CONNECT, location.origin, [port2]);
port1.onmessage = () => tell(words.wrong);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const wrong = mistake();
  if (wrong !== undefined) return tell(wrong);
  problem.textContent = words.working;
  button.disabled = true;
  port1.postMessage({ passphrase: typed.input.value });
});

function mistake(): string | undefined {
  if (first && typed.input.value.length < MIN_LENGTH) return words.tooShort;
  return again !== undefined && again.input.value !== typed.input.value ? words.different : undefined;
}

function tell(what: string): void {
  problem.textContent = what;
  button.disabled = false;
  typed.input.focus();
  typed.input.select();
}

function field(label: string) {
  const id = `field-${label.length}`;
  const input = Object.assign(document.createElement('input'), {
    id,
    type: 'password',
    required: true,
    maxLength: 1024,
    autocomplete: 'off',
  });
  return { input, parts: [Object.assign(document.createElement('label'), { htmlFor: id, textContent: label }), input] };
}

function text(tag: 'h1' | 'p', content: string): HTMLElement {
  return Object.assign(document.createElement(tag), { textContent: content });
}
