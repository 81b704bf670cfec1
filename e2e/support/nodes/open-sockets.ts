import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The state LISTEN in the tables of the kernel (include/net/tcp_states.h). */
const LISTENS = '0A';

/** Whether this system tells which sockets a process has. Only Linux does without more programs. */
export const KNOWS_SOCKETS = process.platform === 'linux';

/**
 * The ports on which a process listens, read from the tables of the kernel. It also counts its UDP sockets, which
 * receive without listening.
 */
export function openSockets(pid: number): { listening: number[]; udp: number } {
  const own = new Set(inodesOf(pid));
  const rows = (protocol: string) => tableOf(pid, protocol).filter(({ inode }) => own.has(inode));
  const listening = [...rows('tcp'), ...rows('tcp6')].filter(({ state }) => state === LISTENS).map(({ port }) => port);
  return { listening: listening.toSorted((a, b) => a - b), udp: [...rows('udp'), ...rows('udp6')].length };
}

function inodesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${name}`))?.[1] ?? [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

interface Row {
  port: number;
  state: string;
  inode: string;
}

/** Rows such as `0: 0100007F:1F90 00000000:0000 0A …`: number, local and remote address, state; the inode is tenth. */
function tableOf(pid: number, protocol: string): Row[] {
  const [, ...lines] = readFileSync(`/proc/${pid}/net/${protocol}`, 'latin1').trim().split('\n');
  return lines.map((line) => {
    const [, local = '', , state = '', , , , , , inode = ''] = line.trim().split(/\s+/);
    return { port: Number.parseInt(local.split(':').at(-1) ?? '', 16), state, inode };
  });
}
