import { describe, expect, it, vi } from 'vitest';
import { LogOutput, type WriteSome } from './log-output.ts';
import { createLogger, logCondition } from './logger.ts';

/** A line of a thousand characters, which begins with its number. */
const line = (number: number): string => `${`${number} `.padEnd(999, '.')}\n`;
/** More lines than may wait. */
const MANY = 300;

/** An end of the log that takes nothing until it is told to. */
function slowEnd() {
  let text = '';
  let waiting: (() => void) | undefined;
  const write: WriteSome = (bytes, done) => {
    waiting = () => {
      text += Buffer.from(bytes).toString();
      done(null, bytes.length);
    };
  };
  return {
    write,
    text: () => text,
    /** Takes what is written, and all that follows. */
    takeAll() {
      for (let take = waiting; take !== undefined; take = waiting) {
        waiting = undefined;
        take();
      }
    },
  };
}

describe('the end of the log', () => {
  it('keeps lines that wait, counts those that are too many, and tells of them where they are missing', () => {
    const end = slowEnd();
    const output = new LogOutput(end.write);
    for (let n = 1; n <= MANY; n++) output.write(line(n));
    const { lost } = output.condition;
    expect(lost).toBeGreaterThan(0);
    expect(output.condition.waits).toBe(true);

    end.takeAll();
    output.write(line(MANY + 1));
    end.takeAll();
    const lines = end.text().trimEnd().split('\n');
    const kept = Array.from({ length: MANY - lost }, (_, index) => line(index + 1).trimEnd());
    expect(lines.slice(0, kept.length)).toEqual(kept);
    expect(JSON.parse(lines[kept.length] ?? '')).toMatchObject({ level: 'warn', lost });
    expect(lines.slice(kept.length + 1)).toEqual([line(MANY + 1).trimEnd()]);
    expect(output.condition).toEqual({ lost, waits: false });
  });

  it('goes on within a line after a full disk took a part of it', () => {
    vi.useFakeTimers();
    let text = '';
    let room = 7;
    const output = new LogOutput((bytes, done) => {
      const written = Math.min(room, bytes.length);
      room -= written;
      text += Buffer.from(bytes.subarray(0, written)).toString();
      if (written === 0) done(Object.assign(new Error('full'), { code: 'ENOSPC' }), 0);
      else done(null, written);
    });
    output.write('first\n');
    output.write('second\n');
    output.write('third\n');
    expect(text).toBe('first\ns');
    expect(output.condition).toEqual({ lost: 0, waits: true });
    room = 100;
    vi.runOnlyPendingTimers();
    expect(text).toBe('first\nsecond\nthird\n');
    expect(output.condition).toEqual({ lost: 0, waits: false });
    vi.useRealTimers();
  });
});

describe('a logger', () => {
  it('does not throw when its end throws, or when a fact cannot be read', () => {
    const broken = createLogger(
      'info',
      new LogOutput(() => {
        throw new Error('no standard error');
      }),
    );
    broken.info('a line');
    expect(logCondition(broken)).toEqual({ lost: 0, waits: true });

    const end = slowEnd();
    const log = createLogger('info', new LogOutput(end.write));
    const unreadable = {
      get fact(): string {
        throw new Error('unreadable');
      },
    };
    log.info(unreadable, 'a line');
    log.info('the next line');
    end.takeAll();
    expect(
      end
        .text()
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text)),
    ).toMatchObject([{ lost: 1 }, { msg: 'the next line' }]);
  });
});
