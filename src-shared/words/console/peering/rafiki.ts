import type { ConnectionStep } from '../../../operator-contract/peers.ts';

const stepNames: Readonly<Record<ConnectionStep['step'], string>> = {
  url: 'Its address answers',
  token: 'It accepts your token',
  probe: 'A test packet comes back',
  arrived: 'A packet of theirs has arrived',
  address: 'It sends to the address of the currency',
};

export const rafiki = {
  title: 'Rafiki as a peer',
  lead: 'Rafiki is the reference implementation of Open Payments. You add it here, whoever runs it adds your node by its admin API, and this page looks whether the connection works.',
  link: 'Rafiki, step by step',
  itsName: 'Rafiki',
  tell: '1. Add it to your node',
  currencyHint: 'Rafiki has one peer for each currency. For a second currency, come here once more.',
  ilpAddress: 'Its ILP address',
  ilpAddressHint: 'Its setting ILP_ADDRESS, such as test.cloud-nine',
  endpoint: 'Address of its connector',
  endpointHint: 'Its connector’s port, 3002 unless set otherwise, such as https://cloud-nine.example:3002/',
  debtLimitHint: 'Rafiki is told the same, as liquidity: beyond it, it rejects what you send.',
  add: 'Add it and go on',
  currencyTitle: '2. Find its id of the currency',
  currencyWords: (code: string, scale: number) =>
    `Make this call at Rafiki’s admin API. Its answer has the ids of its currencies. Take that of ${code} with ${scale} decimal places.`,
  currencyMissing: 'When the currency is not among them, this call makes it. Its answer has the id.',
  assetsCall: 'Call for the currencies',
  assetCall: 'Call that makes the currency',
  assetId: 'The id',
  assetIdHint: 'It goes into the next call.',
  assetIdMissing: 'the id of step 2',
  peerTitle: '3. Add your node there',
  peerWords: 'Make this call, with the variables below it. They have your addresses and limits.',
  tokensOnce:
    'The variables have the tokens of both directions. They are shown only now, because your node shows none again: make the call before you leave this page.',
  tokensGone: 'The tokens were shown when the peer was added. If they are lost, remove the peer and add it again.',
  tokenGone: 'shown only when the peer was added',
  peerCall: 'Call that adds your node',
  peerVariables: 'Variables of the call',
  firstPeer: 'The route leads whatever belongs to none of your currencies to your node. Only the first peer for your node has it.',
  further: 'Its first peer for your node has the route for what belongs to none of your currencies, so this one has none.',
  stepsTitle: '4. Look whether it works',
  stepsLead: 'Your node sends a packet that moves no money. For the last two steps, somebody pays you a small amount from there.',
  steps: 'Steps of the connection',
  stepNames,
  stepStates: { good: 'Good', missing: 'Look at this', unknown: 'Not known yet', not_tried: 'Not tried' },
  noPacketYet: 'Your node knows of none yet.',
  arrivedAt: (when: string) => `The last one came on ${when}.`,
  addressProblems: {
    not_of_this_node: 'Its last packet was not meant for your node. Compare staticIlpAddress there with the variables above.',
    of_another_currency:
      'Its last packet was meant for another currency, in which you are peers, too. Compare staticIlpAddress of both peers there: each must end with its own currency.',
  },
  allGood: 'The connection works in both directions.',
  lookAgain: 'Look again',
  toPeer: (name: string) => `See ${name}`,
} as const;
