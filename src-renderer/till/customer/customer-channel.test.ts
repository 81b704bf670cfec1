import { beforeEach, describe, expect, it } from 'vitest';
import { setNodeTime } from '../../transport/node-clock.ts';
import { ScreenEnd } from './screen-end.ts';
import { ASK_MS, QUIET, type Said, type Seen, SILENT_MS } from './seen.ts';
import { TillEnd } from './till-end.ts';

const SHOP = { name: 'Corner shop', logo: null };
const CART: Seen = { kind: 'cart', lines: [], tax: null, total: 'US$4.50' };
const NODE_TIME = new Date('2026-11-27T12:00:00Z');

/** A page that hears the channel. */
interface End {
  hear: (said: Said) => void;
}

/** The pages of one browser. */
class Browser {
  now = 0;
  readonly #ends = new Set<End>();
  readonly #screens = new Set<ScreenEnd>();

  till(id: string): TillEnd {
    return this.#join((send) => new TillEnd({ id, send, now: () => this.now }));
  }

  screen(till: string | null, close: () => void = () => undefined): ScreenEnd {
    const screen = this.#join((send) => new ScreenEnd({ till, send, now: () => this.now, close }));
    this.#screens.add(screen);
    screen.tick();
    return screen;
  }

  /** The page is there no more, and nobody was told. */
  crash(end: TillEnd | ScreenEnd): void {
    this.#ends.delete(end);
    if (end instanceof ScreenEnd) this.#screens.delete(end);
  }

  wait(ms: number): void {
    for (const until = this.now + ms; this.now < until; ) {
      this.now += ASK_MS;
      for (const screen of this.#screens) screen.tick();
    }
  }

  #join<Kind extends End>(make: (send: (said: Said) => void) => Kind): Kind {
    const end: Kind = make((said) => {
      if (this.#ends.has(end)) for (const other of [...this.#ends]) if (other !== end) other.hear(said);
    });
    this.#ends.add(end);
    return end;
  }
}

let browser = new Browser();

beforeEach(() => {
  browser = new Browser();
  setNodeTime(NODE_TIME);
});

describe('the customer’s screen', () => {
  it('shows what its till says, and goes on with it after a reload of its own', () => {
    const till = browser.till('a');
    till.show(CART, SHOP);
    const screen = browser.screen('a');
    expect(screen.seen.get()).toEqual(CART);
    expect(screen.shop.get()).toEqual(SHOP);
    expect(till.isFollowed.get()).toBe(true);
    screen.leave();
    expect(till.isFollowed.get()).toBe(false);
    browser.crash(screen);
    expect(browser.screen('a').seen.get()).toEqual(CART);
  });

  it('is quiet as soon as its till goes, and follows the till that comes after it', () => {
    const till = browser.till('a');
    till.show(CART, SHOP);
    const screen = browser.screen('a');
    till.leave();
    expect(screen.seen.get()).toEqual(QUIET);
    browser.crash(till);
    const next = browser.till('b');
    next.show(CART, SHOP);
    expect(screen.seen.get()).toEqual(CART);
    browser.wait(ASK_MS);
    expect(next.isFollowed.get()).toBe(true);
  });

  it('is quiet when its till is silent', () => {
    const till = browser.till('a');
    till.show(CART, SHOP);
    const screen = browser.screen('a');
    browser.crash(till);
    browser.wait(SILENT_MS - ASK_MS);
    expect(screen.seen.get()).toEqual(CART);
    browser.wait(ASK_MS);
    expect(screen.seen.get()).toEqual(QUIET);
    expect(screen.shop.get()).toEqual(SHOP);
  });

  it('shows nothing of a till that has a screen of its own', () => {
    const [one, other] = [browser.till('a'), browser.till('b')];
    one.show(CART, SHOP);
    other.show({ ...CART, total: 'US$9.00' }, SHOP);
    const [first, second] = [browser.screen('a'), browser.screen('b')];
    one.leave();
    browser.crash(one);
    browser.wait(2 * SILENT_MS);
    other.show({ ...CART, total: 'US$9.50' }, SHOP);
    expect(first.seen.get()).toEqual(QUIET);
    expect(second.seen.get()).toEqual({ ...CART, total: 'US$9.50' });
  });

  it('shows no sale after its end, even while its till still says so', () => {
    const till = browser.till('a');
    const ends = new Date(NODE_TIME.getTime() + 2 * ASK_MS);
    till.show({ kind: 'end', status: 'paid', amount: 'US$4.50', part: null, ends }, SHOP);
    const screen = browser.screen('a');
    expect(screen.seen.get()).toMatchObject({ status: 'paid' });
    setNodeTime(ends);
    browser.wait(2 * ASK_MS);
    expect(screen.seen.get()).toEqual(QUIET);
  });

  it('takes an old code away by itself when its till is asleep', () => {
    const till = browser.till('a');
    const ends = new Date(NODE_TIME.getTime() + 2 * ASK_MS);
    till.show({ kind: 'code', link: 'https://shop.example/pay/1', purpose: null, asked: 'US$4.50', part: null, ends }, SHOP);
    const screen = browser.screen('a');
    browser.crash(till);
    browser.wait(ASK_MS);
    expect(screen.seen.get().kind).toBe('code');
    browser.wait(2 * ASK_MS);
    expect(screen.seen.get()).toEqual(QUIET);
  });

  it('closes when its own till wants it to, and is then followed by nothing', () => {
    let closed = '';
    const [one, other] = [browser.till('a'), browser.till('b')];
    browser.screen('a', () => {
      closed += 'a';
    });
    browser.screen('b', () => {
      closed += 'b';
    });
    other.close();
    expect(closed).toBe('b');
    one.look();
    expect(one.isFollowed.get()).toBe(true);
    browser.now += SILENT_MS;
    one.look();
    expect(one.isFollowed.get()).toBe(false);
  });
});
