import { createAccount } from '../support/clients/flows.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { openCounter } from './counter.ts';
import { losePayment, meetSilent } from './neighbours.ts';
import { restoring } from './restoring.ts';
import { openScene } from './scene.ts';
import { atTheTill, pairedTill, peopleScreens, publicPages, publicPapers, shopScreens } from './shop-shots.ts';
import { dialogs, empties, type Shot, type Stage, screens, silence, trouble } from './shots.ts';
import { locked, signedOut } from './sign-in-shots.ts';

/** Every screen: one node after the other, each as long as the caller looks at it. */
export async function* stages(): AsyncGenerator<Stage> {
  yield* firstRun();
  yield* restoring();
  yield* dayInShop();
}

const stageOf = (node: RunningNode, shots: readonly Shot[]): Stage => ({
  origin: node.consoleUrl,
  operator: node.operator,
  enter: async (page) => void (await page.goto(await consoleLink(node))),
  shots,
});

/** How it begins, and each list before there is anything in it. */
export async function* firstRun(): AsyncGenerator<Stage> {
  const node = await RunningNode.start();
  try {
    yield stageOf(node, [{ name: 'welcome', path: '/welcome' }]);
    await createAccount(node, 'shop', 0n);
    yield stageOf(node, empties);
  } finally {
    await node.stop();
  }
}

/** A shop where something happens, from its lists to its lock. */
export async function* dayInShop(): AsyncGenerator<Stage> {
  const scene = await openScene();
  const { node } = scene;
  try {
    yield stageOf(node, [...screens(scene), ...dialogs(scene), ...publicPages(scene)]);
    const counter = await openCounter(scene);
    const papers = [...shopScreens(scene, counter), ...peopleScreens, ...publicPapers(scene, counter)];
    yield stageOf(node, [...atTheTill(counter), ...papers, ...pairedTill(scene, counter)]);
    yield stageOf(node, trouble(losePayment(node)));
    const { peerId, close } = await meetSilent(node);
    try {
      yield stageOf(node, silence(peerId));
    } finally {
      await close();
    }
    yield signedOut(node);
    yield* locked(node);
  } finally {
    await scene.close();
  }
}
