import { Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { messages } from '../../src-shared/words/console/messages.ts';
import { PlainLink } from '../components/page/links.tsx';
import { GROUPS, SECTIONS, type Section, sectionOf } from '../components/sections/sections.ts';
import { LockButton } from '../lock/lock-button.tsx';
import { useStateCell } from '../transport/state-cell.ts';
import { mayOf, you } from '../transport/you.ts';
import classes from './section-links.module.css';
import { SignedIn } from './signed-in.tsx';

interface LinksProps {
  /** How many requests wait for a decision. */
  waiting: number;
}

/** The links to all sections, in groups. A count stands beside the section in which something waits. */
export function SideLinks({ waiting, onFollow }: LinksProps & { onFollow?: () => void }) {
  const current = useStateCell(you);
  const groups = GROUPS.map(({ name, sections }) => ({
    name,
    sections: sections.filter(({ may }) => mayOf(current, may)),
  }));
  return (
    <nav aria-label={messages.common.navigation} className={classes.side}>
      {groups
        .filter(({ sections }) => sections.length > 0)
        .map(({ name, sections }) => (
          <div key={name ?? ''}>
            {name !== undefined && <p className={classes.group}>{name}</p>}
            <ul className={classes.links}>
              {sections.map((section) => (
                <li key={section.to}>
                  <SectionLink section={section} name={section.name} size={20} waiting={waiting} onFollow={onFollow} />
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}

/** The links at the bottom of a narrow screen: four tabs, and one that shows the rest. */
export function TabLinks({ waiting }: LinksProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const current = useStateCell(you);
  const elsewhere = sectionOf(pathname)?.tab !== true;
  return (
    <>
      <nav aria-label={messages.common.navigation}>
        <ul className={classes.tabs}>
          {SECTIONS.filter((section) => section.tab && mayOf(current, section.may)).map((section) => (
            <li key={section.to}>
              <SectionLink section={section} name={section.short} size={24} waiting={waiting} />
            </li>
          ))}
          <li>
            <button type="button" className={classes.link} data-current={elsewhere || undefined} onClick={open} aria-haspopup="dialog">
              <span className={classes.icon}>
                <IconDots size={24} stroke={1.7} aria-hidden />
              </span>
              {messages.common.more}
            </button>
          </li>
        </ul>
      </nav>
      <Modal opened={opened} onClose={close} title={messages.common.navigation} fullScreen>
        <SideLinks waiting={waiting} onFollow={close} />
        <SignedIn />
        <LockButton />
      </Modal>
    </>
  );
}

interface SectionLinkProps extends LinksProps {
  section: Section;
  name: string;
  size: number;
  onFollow?: (() => void) | undefined;
}

function SectionLink({ section, name, size, waiting, onFollow }: SectionLinkProps) {
  const { pathname } = useLocation();
  const Icon = section.icon;
  const count = section.to === '/approvals' ? waiting : 0;
  return (
    <PlainLink
      to={section.to}
      className={classes.link}
      aria-current={section === sectionOf(pathname) ? 'page' : undefined}
      onClick={onFollow}
    >
      <span className={classes.icon}>
        <Icon size={size} stroke={1.7} aria-hidden />
      </span>
      <span>{name}</span>
      {count > 0 && (
        <span className={classes.count} role="img" aria-label={messages.common.waiting({ count })}>
          {count}
        </span>
      )}
    </PlainLink>
  );
}
