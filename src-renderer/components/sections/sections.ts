import {
  IconAffiliate,
  IconArrowsExchange,
  IconArrowsLeftRight,
  IconCashPlus,
  IconCashRegister,
  IconChartBar,
  IconFileSpreadsheet,
  IconHeartbeat,
  IconHome,
  IconListDetails,
  IconPlugConnected,
  IconSend,
  IconSettings,
  IconShieldCheck,
  IconWallet,
  IconWorldCheck,
  type TablerIcon,
} from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import { type Audience, everyone, managers, readers, till } from '../../../src-shared/people/roles.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';

const { pages, groups } = messages.common;

export interface Section {
  readonly to: Exclude<LinkProps['to'], undefined>;
  readonly name: string;
  /** The short name, where there is little room. */
  readonly short: string;
  readonly icon: TablerIcon;
  /** Whom the navigation offers the section: whoever may call the operation that its page begins with. */
  readonly may: Audience;
  /**
   * Whether the section has a tab of its own on a narrow screen. There are four such tabs; the rest is under "More".
   */
  readonly tab?: true;
}

interface Group {
  /** The heading above the links. The first group has none. */
  readonly name: string | undefined;
  readonly sections: readonly Section[];
}

/** All sections of the console. Those that a shopkeeper opens most often come first. */
export const GROUPS: readonly Group[] = [
  {
    name: undefined,
    sections: [
      { to: '/', name: pages.overview, short: pages.overview, icon: IconHome, may: readers, tab: true },
      { to: '/get-paid', name: pages.getPaid, short: pages.getPaid, icon: IconCashPlus, may: till, tab: true },
      { to: '/till', name: pages.till, short: pages.till, icon: IconCashRegister, may: till },
      { to: '/pay', name: pages.pay, short: pages.pay, icon: IconSend, may: managers },
      { to: '/payments', name: pages.payments, short: pages.payments, icon: IconArrowsLeftRight, may: readers, tab: true },
    ],
  },
  {
    name: groups.access,
    sections: [
      { to: '/approvals', name: pages.approvals, short: pages.approvals, icon: IconShieldCheck, may: readers, tab: true },
      { to: '/apps', name: pages.apps, short: pages.appsShort, icon: IconPlugConnected, may: readers },
    ],
  },
  {
    name: groups.money,
    sections: [
      { to: '/accounts', name: pages.accounts, short: pages.accounts, icon: IconWallet, may: readers },
      { to: '/reports', name: pages.reports, short: pages.reports, icon: IconChartBar, may: readers },
      { to: '/statements', name: pages.statements, short: pages.statements, icon: IconFileSpreadsheet, may: readers },
      { to: '/peers', name: pages.peers, short: pages.peers, icon: IconAffiliate, may: readers },
      { to: '/reach', name: pages.reach, short: pages.reach, icon: IconWorldCheck, may: readers },
      { to: '/rates', name: pages.rates, short: pages.rates, icon: IconArrowsExchange, may: readers },
    ],
  },
  {
    name: groups.node,
    sections: [
      { to: '/health', name: pages.health, short: pages.health, icon: IconHeartbeat, may: readers },
      { to: '/activity', name: pages.activity, short: pages.activity, icon: IconListDetails, may: readers },
      { to: '/settings', name: pages.settings, short: pages.settings, icon: IconSettings, may: everyone },
    ],
  },
];

export const SECTIONS: readonly Section[] = GROUPS.flatMap(({ sections }) => sections);

/** The section a path belongs to. */
export const sectionOf = (path: string): Section | undefined =>
  SECTIONS.find(({ to }) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)));
