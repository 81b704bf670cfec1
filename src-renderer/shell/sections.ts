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
import { type Audience, readers } from '../../src-shared/people/roles.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { mayOpen } from '../transport/addresses.ts';

const { pages, groups } = messages.common;

export interface Section {
  readonly to: Exclude<LinkProps['to'], undefined>;
  readonly name: string;
  /** The short name, where there is little room. */
  readonly short: string;
  readonly icon: TablerIcon;
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
      { to: '/', name: pages.overview, short: pages.overview, icon: IconHome, tab: true },
      { to: '/get-paid', name: pages.getPaid, short: pages.getPaid, icon: IconCashPlus, tab: true },
      { to: '/till', name: pages.till, short: pages.till, icon: IconCashRegister },
      { to: '/pay', name: pages.pay, short: pages.pay, icon: IconSend },
      { to: '/payments', name: pages.payments, short: pages.payments, icon: IconArrowsLeftRight, tab: true },
    ],
  },
  {
    name: groups.access,
    sections: [
      { to: '/approvals', name: pages.approvals, short: pages.approvals, icon: IconShieldCheck, tab: true },
      { to: '/apps', name: pages.apps, short: pages.appsShort, icon: IconPlugConnected },
    ],
  },
  {
    name: groups.money,
    sections: [
      { to: '/accounts', name: pages.accounts, short: pages.accounts, icon: IconWallet },
      { to: '/reports', name: pages.reports, short: pages.reports, icon: IconChartBar },
      { to: '/statements', name: pages.statements, short: pages.statements, icon: IconFileSpreadsheet },
      { to: '/peers', name: pages.peers, short: pages.peers, icon: IconAffiliate },
      { to: '/reach', name: pages.reach, short: pages.reach, icon: IconWorldCheck },
      { to: '/rates', name: pages.rates, short: pages.rates, icon: IconArrowsExchange },
    ],
  },
  {
    name: groups.node,
    sections: [
      { to: '/health', name: pages.health, short: pages.health, icon: IconHeartbeat },
      { to: '/activity', name: pages.activity, short: pages.activity, icon: IconListDetails },
      { to: '/settings', name: pages.settings, short: pages.settings, icon: IconSettings },
    ],
  },
];

export const SECTIONS: readonly Section[] = GROUPS.flatMap(({ sections }) => sections);

/** Whom the navigation offers a section. The overview is for those who read the books; it leads all others on. */
export const audienceOf = ({ to }: Section): Audience => (to === '/' ? readers : mayOpen(to));

/** The section a path belongs to. */
export const sectionOf = (path: string): Section | undefined =>
  SECTIONS.find(({ to }) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)));
