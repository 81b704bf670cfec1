import { createSocket, type Socket } from 'node:dgram';

/** What a name server says of a name: its IPv4 addresses, that there is no such name, or nothing at all. */
type Saying = readonly string[] | 'no such name' | 'silence';

/** A name server on this computer that answers over UDP as it is told to (RFC 1035 §4). */
export class FakeNameServer {
  readonly names = new Map<string, Saying>();
  /** What it says of every other name. */
  readonly #otherwise: (name: string) => Saying;
  /** The answers count for this many seconds. */
  ttlSeconds = 30;
  /** The names that were asked for, in order, with the type of the record. */
  readonly asked: string[] = [];
  readonly #socket: Socket = createSocket('udp4');
  readonly #waiting: { times: number; called: () => void }[] = [];

  constructor(otherwise: (name: string) => Saying = () => 'no such name') {
    this.#otherwise = otherwise;
  }

  /** @returns its address, for `Resolver.setServers`. */
  async open(): Promise<string> {
    this.#socket.on('message', (message, { port, address }) => {
      const answer = this.#answer(message);
      if (answer !== undefined) this.#socket.send(answer, port, address);
    });
    await new Promise<void>((resolve) => this.#socket.bind(0, '127.0.0.1', resolve));
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  close(): void {
    this.#socket.close();
  }

  /** Waits until so many questions have come. */
  async heard(times: number): Promise<void> {
    if (this.asked.length < times) await new Promise<void>((called) => this.#waiting.push({ times, called }));
  }

  #answer(query: Buffer): Buffer | undefined {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    this.asked.push(`${type === A ? 'A' : 'AAAA'} ${name}`);
    for (const { times, called } of this.#waiting) if (this.asked.length >= times) called();
    const saying = this.names.get(name) ?? this.#otherwise(name);
    if (saying === 'silence') return undefined;
    const addresses = saying === 'no such name' || type !== A ? [] : saying;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(saying === 'no such name' ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    return Buffer.concat([header, query.subarray(12, end + 4), ...addresses.map((address) => this.#record(address))]);
  }

  #record(address: string): Buffer {
    const record = Buffer.alloc(16);
    record.writeUInt16BE(0xc00c, 0); // the name in the question
    record.writeUInt16BE(A, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(this.ttlSeconds, 6);
    record.writeUInt16BE(4, 10);
    Buffer.from(address.split('.').map(Number)).copy(record, 12);
    return record;
  }
}

const A = 1;

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}
