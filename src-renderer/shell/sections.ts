import { IconArrowsLeftRight, IconHome, IconPlugConnected, IconShieldCheck, IconWallet, type TablerIcon } from '@tabler/icons-react';
import { messages } from '../messages.ts';

const { pages } = messages.common;

interface Section {
  readonly to: '/' | '/payments' | '/approvals' | '/apps' | '/accounts';
  readonly name: string;
  /** Where there is little room. */
  readonly short: string;
  readonly icon: TablerIcon;
}

export const SECTIONS: readonly Section[] = [
  { to: '/', name: pages.overview, short: pages.overview, icon: IconHome },
  { to: '/payments', name: pages.payments, short: pages.payments, icon: IconArrowsLeftRight },
  { to: '/approvals', name: pages.approvals, short: pages.approvals, icon: IconShieldCheck },
  { to: '/apps', name: pages.apps, short: pages.appsShort, icon: IconPlugConnected },
  { to: '/accounts', name: pages.accounts, short: pages.accounts, icon: IconWallet },
];

/** The section a path belongs to. */
export const sectionOf = (path: string): Section | undefined =>
  SECTIONS.find(({ to }) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)));
