import { describe, expect, it } from 'vitest';
import { QUIT_ANSWERS, type QuitAnswer, Quitting, quitQuestion } from './quitting.ts';

/** An app with payments under way, and an operator who answers when the test says so. */
function openApp(payments: number) {
  const app = { payments, asked: [] as number[], waits: [] as (number | undefined)[], quits: 0, reads: 0 };
  const answers: ((answer: QuitAnswer) => void)[] = [];
  const quitting = new Quitting({
    underWay: async () => {
      app.reads += 1;
      if (app.payments < 0) throw new Error('the database is closed');
      return app.payments;
    },
    ask: (underWay, withdrawn) => {
      app.asked.push(underWay);
      const { promise, resolve } = Promise.withResolvers<QuitAnswer>();
      answers.push(resolve);
      withdrawn.addEventListener('abort', () => {
        answers.splice(answers.indexOf(resolve), 1);
        resolve('stay');
      });
      return promise;
    },
    onWaiting: (underWay) => app.waits.push(underWay),
    quit: () => {
      app.quits += 1;
    },
  });
  const answer = async (one: QuitAnswer) => {
    while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
    answers.shift()?.(one);
  };
  return { app, quitting, answer };
}

describe('quitting', () => {
  it('asks nothing while no payment is under way', async () => {
    const { app, quitting } = openApp(0);
    await quitting.wish();
    expect(app).toMatchObject({ asked: [], quits: 1 });
    expect(quitting.decided).toBe(true);
  });

  it('asks while payments are under way, and quits anyway when told to', async () => {
    const { app, quitting, answer } = openApp(2);
    const wish = quitting.wish();
    await answer('anyway');
    await wish;
    expect(app).toMatchObject({ asked: [2], quits: 1 });
  });

  it('stays when told to, and asks again the next time', async () => {
    const { app, quitting, answer } = openApp(1);
    for (const _ of [1, 2]) {
      const wish = quitting.wish();
      await answer('stay');
      await wish;
    }
    await quitting.look();
    expect(app).toMatchObject({ asked: [1, 1], quits: 0 });
    expect(quitting.decided).toBe(false);
  });

  it('waits until the payments are done, then quits once', async () => {
    const { app, quitting, answer } = openApp(2);
    const wish = quitting.wish();
    await answer('wait');
    await wish;
    expect(app.quits).toBe(0);
    app.payments = 1;
    await quitting.look();
    expect(app.quits).toBe(0);
    app.payments = 0;
    await Promise.all([quitting.look(), quitting.look()]);
    await quitting.look();
    await quitting.wish();
    expect(app).toMatchObject({ quits: 1, asked: [2], waits: [2, 2, 1] });
  });

  it('quits at once when the payments have ended while the question was open', async () => {
    const { app, quitting, answer } = openApp(1);
    const wish = quitting.wish();
    while (app.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    app.payments = 0;
    await answer('wait');
    await wish;
    expect(app.quits).toBe(1);
  });

  it('stops waiting when the operator changes their mind', async () => {
    const { app, quitting, answer } = openApp(1);
    for (const one of ['wait', 'stay'] as const) {
      const wish = quitting.wish();
      await answer(one);
      await wish;
    }
    app.payments = 0;
    await quitting.look();
    expect(app).toMatchObject({ quits: 0, waits: [1, 1, undefined] });
  });
});

describe('a wish to quit while the question is open', () => {
  it('asks one question at a time', async () => {
    const { app, quitting, answer } = openApp(1);
    const wishes = [quitting.wish(), quitting.wish()];
    await answer('stay');
    await Promise.all(wishes);
    expect(app.asked).toEqual([1]);
  });

  it('puts the question again, because the person who wants to quit does not see it', async () => {
    const { app, quitting, answer } = openApp(1);
    const wish = quitting.wish();
    while (app.asked.length < 1) await new Promise((resolve) => setImmediate(resolve));
    await quitting.wish();
    while (app.asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await answer('stay');
    await wish;
    expect(app).toMatchObject({ asked: [1, 1], quits: 0, waits: [undefined] });
    expect(quitting.decided).toBe(false);
  });

  it('is heard when the question was answered just now, however little of the answer was taken in', async () => {
    for (const [first, turns] of (['wait', 'stay'] as const).flatMap((one) => [0, 1, 2, 3, 4, 5, 6].map((turn) => [one, turn] as const))) {
      const { app, quitting, answer } = openApp(1);
      const wish = quitting.wish();
      while (app.asked.length < 1) await new Promise((resolve) => setImmediate(resolve));
      const answered = answer(first);
      for (let turn = 0; turn < turns; turn += 1) await undefined;
      const again = quitting.wish();
      await answered;
      await answer('anyway');
      await Promise.all([wish, again]);
      expect(app, `${turns} turns after the answer ${first}`).toMatchObject({ asked: [1, 1], quits: 1 });
    }
  });

  it('does not hold up an app whose node cannot tell, nor a computer that goes down', async () => {
    const broken = openApp(-1);
    await broken.quitting.wish();
    expect(broken.app).toMatchObject({ asked: [], quits: 1 });
    const { app, quitting, answer } = openApp(1);
    const wish = quitting.wish();
    quitting.now();
    await answer('stay');
    await wish;
    expect(app.quits).toBe(1);
  });
});

describe('the question before quitting', () => {
  it('offers an answer for each button, and leaves the app running when it is closed', () => {
    const question = quitQuestion(3);
    expect(question.buttons).toHaveLength(QUIT_ANSWERS.length);
    expect(QUIT_ANSWERS[question.cancelId]).toBe('stay');
    expect(QUIT_ANSWERS[question.defaultId]).toBe('wait');
    expect(question.message).toBe('3 payments are under way. Quit all the same?');
    expect(quitQuestion(1).message).toBe('A payment is under way. Quit all the same?');
  });
});
