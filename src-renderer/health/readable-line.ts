import type { LogLine } from '../../src-shared/operator-contract/health.ts';
import { messages } from '../../src-shared/words/console/messages.ts';

const words = messages.health.log;

/** A fact of a line by its name, such as `err.message`. */
export type LogFact = readonly [name: string, text: string];

/** A line of the log in words. */
interface ReadableLine {
  message: string;
  /** The facts that say most about it, under names that a reader knows. */
  brief: readonly LogFact[];
  /** Everything the line holds besides its message, as the node wrote it. */
  details: readonly LogFact[];
}

/** Turns a line into a sentence and the facts beside it. */
export function readableLine({ message, facts }: Pick<LogLine, 'message' | 'facts'>): ReadableLine {
  const details = factsOf(facts);
  const fact = Object.fromEntries(details);
  const brief = Object.entries(words.factLabels).flatMap(([name, label]): LogFact[] => {
    const text = fact[name];
    return text === undefined ? [] : [[label, text]];
  });
  return { message: sentenceOf(message, fact), brief, details };
}

/** An event is logged by its type, such as `outgoing_payment.completed`. */
const EVENT = /^[a-z]+(_[a-z]+)*\.[a-z_]+$/;

function sentenceOf(message: string, fact: Readonly<Record<string, string>>): string {
  const { method, status, ms } = fact;
  const path = fact.route ?? fact.path;
  if (method !== undefined && path !== undefined && status !== undefined) return words.request(method, path, Number(status), ms);
  const plain = EVENT.test(message) ? message.replaceAll(/[._]/g, ' ') : message;
  return plain === '' ? words.noMessage : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Names nested values by their path. A line that was cut and cannot be read is one fact. */
function factsOf(json: string): LogFact[] {
  if (json === '') return [];
  try {
    return flat(JSON.parse(json), '');
  } catch {
    return [['', json]];
  }
}

function flat(value: unknown, name: string): LogFact[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => flat(inner, name === '' ? key : `${name}.${key}`));
  return [[name, String(value)]];
}
