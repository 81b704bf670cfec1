import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Disk } from '../support/power/disk.ts';
import { cutPower } from '../support/power/power-cuts.ts';
import { life, upgraded } from '../support/power/scenes.ts';
import { Recorder, readTrace, recorderNeeds } from '../support/power/trace.ts';

// A power cut takes what SIGKILL leaves: everything that the system has not brought to the disk. A node is recorded
// while it works. Then its writes are replayed on a disk that loses, tears and reorders what was not synced.

const CUTS = Number(process.env.PAYDESK_TEST_CUTS ?? 0);
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_123);
/** The number of cuts after which the built node starts. Each start takes a second. */
const STARTS = Math.ceil(CUTS / 250);

/** A busy computer makes a few cuts a second. */
const HOURS = 7_200_000;

const SCENES = [
  { name: 'takes payments, makes backups and is killed', play: life, share: 0.8 },
  { name: 'brings books of version 0.1.0 to its schema', play: upgraded, share: 0.2 },
];

let folder: string;
let root: string;
beforeEach(() => {
  const missing = recorderNeeds();
  if (missing !== undefined) throw new Error(missing);
  folder = mkdtempSync(join(tmpdir(), 'paydesk-power-'));
  root = join(folder, 'disk');
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each(SCENES)(
  'a power cut takes nothing that was acknowledged from a node that $name',
  async ({ play, share }) => {
    const recorder = new Recorder(root, folder);
    await play({ recorder, root, tell: (fact) => recorder.told(fact) });

    const records = readTrace(recorder.file);
    const disk = new Disk(root);
    for (const record of records) disk.play(record);
    const seen = disk.seen;
    expect([...seen.keys()].toSorted(), 'the recorder misses no file').toEqual(filesIn(root));
    expect(
      [...seen].filter(([path, content]) => !content.equals(readFileSync(path))).map(([path]) => path),
      'nor a write',
    ).toEqual([]);

    const start = performance.now();
    const cuts = Math.ceil(CUTS * share);
    const { done, told, found } = await cutPower({ trace: recorder.file, root, seed: SEED, cuts, starts: Math.ceil(STARTS * share) });
    const perSecond = Math.round((done * 1_000) / (performance.now() - start));
    console.log(
      `seed ${SEED}: ${done} cuts in ${records.length} records, ${told} facts, ${perSecond} cuts a second, ${found.length} found`,
    );
    expect(found.slice(0, 20), 'what is lost or wrong after a cut; each begins with the cut').toEqual([]);
    expect(done).toBe(cuts);
  },
  HOURS,
);

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
