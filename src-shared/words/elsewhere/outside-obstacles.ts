import type { OutsideObstacle } from '../../operator-contract/health-checks.ts';

/** Why customers elsewhere cannot pay, and what the operator can do. */
export const outsideObstacles: Readonly<Record<OutsideObstacle, string>> = {
  public_address: 'Only this computer can reach your node. Give it a public address first.',
  address_unreachable:
    'Your public address did not answer at the last look. Look again under Health: the first step that is not good says what to do.',
  no_common_way: 'Your node has no peer yet. Without one, only accounts of this node can pay each other. Add one under Peers.',
  peer_paused: 'Every peer is paused, so no money comes in. Resume one under Peers.',
  peer_limit: 'Every peer owes you as much as it may. Settle with one, or raise its limit.',
  peer_unreachable: 'No peer answers. Test the connection under Peers.',
};
