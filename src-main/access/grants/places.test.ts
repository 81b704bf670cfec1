import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPENED_MS, UNOPENED_MS } from './lapses.ts';
import { PLACES, placeFor, placeToOpen, type Waiting } from './places.ts';

let clock = 0;
const waiting = (id: string, clientId: string, opened = false): Waiting => {
  clock += 1;
  return { id, clientId, createdAt: clock, openedAt: opened ? clock : null };
};
const many = (count: number, clientId: (n: number) => string, opened = false): Waiting[] =>
  Array.from({ length: count }, (_, n) => waiting(`${clientId(n)} ${n}`, clientId(n), opened));

describe('a new grant request', () => {
  it('takes the place of the oldest unopened one of its client, and no place of an opened one', () => {
    const client = 'https://shop.example/till';
    expect(
      placeFor(
        client,
        many(2, () => client),
      ),
    ).toEqual([]);
    expect(placeFor(client, [waiting('open', client, true), waiting('old', client), waiting('new', client)])).toEqual(['old']);
    expect(
      placeFor(
        client,
        many(3, () => client, true),
      ),
    ).toBeUndefined();
  });

  it('is counted by the host of its client, so that many names under one host gain nothing', () => {
    const swarm = many(PLACES.origin, (n) => `https://swarm.example/${n}`);
    expect(placeFor('https://swarm.example/more', swarm)).toEqual([swarm[0]?.id]);
    expect(placeFor('https://shop.example/till', swarm)).toEqual([]);
  });

  it('always finds a place while only unopened ones of others wait', () => {
    const hosts = many(PLACES.node - 2, (n) => `https://h${n}.example/x`);
    const pair = many(2, (n) => `https://pair.example/${n}`);
    expect(placeFor('https://shop.example/till', [...hosts, ...pair])).toEqual([pair[0]?.id]);
  });
});

describe('a page that is opened', () => {
  it('gets no place beyond those of its origin', () => {
    const own = many(PLACES.openedOfOrigin, (n) => `https://shop.example/${n}`, true);
    expect(placeToOpen('https://shop.example/more', own)).toBeUndefined();
    expect(placeToOpen('https://other.example/more', own)).toEqual([]);
  });

  it('takes the newest place of the origin with the most when the node has no other', () => {
    const four = [0, 1, 2, 3].flatMap((host) => many(5, (n) => `https://h${host}.example/${n}`, true));
    expect(placeToOpen('https://shop.example/till', four)).toEqual(['https://h0.example/4 4']);
  });

  it('waits while twenty origins have one open each', () => {
    const each = many(PLACES.opened, (n) => `https://h${n}.example/x`, true);
    expect(placeToOpen('https://shop.example/till', each)).toBeUndefined();
  });
});

const minutes = (ms: number) => `${ms / 60_000} minutes`;
const document = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8').replaceAll('\n', ' ');

it('the times and places for grant requests are as long and as many as developers read', () => {
  const api = document('api.md');
  expect(api).toContain(`| time until its page must have been opened | ${minutes(UNOPENED_MS)}, then it lapses |`);
  expect(api).toContain(`| time for the decision after that | ${minutes(OPENED_MS)}, then it lapses |`);
  const developers = document('developers.md');
  expect(developers).toContain(`not opened within ${minutes(UNOPENED_MS)}, and ${minutes(OPENED_MS)} after it was opened`);
  expect(developers).toContain(`Of one client ${PLACES.client} requests wait`);
  // It is told once, so that one of two tellings cannot become untrue.
  expect(developers.match(/\d requests wait|minutes for its page/g)).toHaveLength(1);
});

it('the places for grant requests are as many as developers read in docs/api.md', () => {
  const text = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const rows = new Map(
    [...text.matchAll(/^\| (.+?) \| (\d+) \|$/gm)].map(([, words = '', count]) => [words.replace(/ \(.*\)/, ''), count]),
  );
  const told = {
    client: 'waiting requests of one client',
    origin: 'of one origin',
    node: 'of the node',
    openedOfOrigin: 'requests whose pages are open, of one origin',
    opened: 'requests whose pages are open, of the node',
  } as const satisfies Record<keyof typeof PLACES, string>;
  for (const place of Object.keys(PLACES) as (keyof typeof PLACES)[]) expect(rows.get(told[place]), told[place]).toBe(`${PLACES[place]}`);
});
