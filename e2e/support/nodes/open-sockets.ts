import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The state LISTEN in the tables of the kernel (include/net/tcp_states.h). */
const LISTENS = '0A';

/** Whether this system tells which sockets a process has. Only Linux does without more programs. */
export const KNOWS_SOCKETS = process.platform === 'linux';

/**
 * The addresses on which a process listens, such as `127.0.0.1:3000` and `[::1]:3000`, read from the tables of the
 * kernel. It also counts its UDP sockets, which receive without listening.
 */
export function openSockets(pid: number): { listening: string[]; udp: number } {
  const own = new Set(inodesOf(pid));
  const rows = (protocol: string) => tableOf(pid, protocol).filter(({ inode }) => own.has(inode));
  const listening = [...rows('tcp'), ...rows('tcp6')].filter(({ state }) => state === LISTENS).map(({ local }) => local);
  return { listening: listening.toSorted(), udp: [...rows('udp'), ...rows('udp6')].length };
}

function inodesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${name}`))?.[1] ?? [];
    } catch {
      // The process has closed it meanwhile.
      return [];
    }
  });
}

interface Row {
  local: string;
  state: string;
  inode: string;
}

/** Rows such as `0: 0100007F:1F90 00000000:0000 0A …`: number, local and remote address, state; the inode is tenth. */
function tableOf(pid: number, protocol: string): Row[] {
  const [, ...lines] = readFileSync(`/proc/${pid}/net/${protocol}`, 'latin1').trim().split('\n');
  return lines.map((line) => {
    const [, local = '', , state = '', , , , , , inode = ''] = line.trim().split(/\s+/);
    return { local: addressOf(local), state, inode };
  });
}

/** The kernel writes an address as words of four bytes, each with its last byte first, and the port as it is. */
function addressOf(local: string): string {
  const [words = '', port = ''] = local.split(':');
  const bytes = (words.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, 'hex')].toReversed());
  const host = bytes.length === 4 ? bytes.join('.') : `[${groupsOf(bytes)}]`;
  return new URL(`http://${host}:${Number.parseInt(port, 16)}`).host;
}

const groupsOf = (bytes: readonly number[]): string =>
  Array.from({ length: 8 }, (_, at) => (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16)).join(':');
