import { useLocation } from '@tanstack/react-router';
import { PlainLink } from '../components/links.tsx';
import { messages } from '../messages.ts';
import classes from './section-links.module.css';
import { SECTIONS, sectionOf } from './sections.ts';

/** The links to the sections, at the side or as tabs below; what waits is counted beside its name. */
export function SectionLinks({ waiting, layout }: { waiting: number; layout: 'side' | 'tabs' }) {
  const { pathname } = useLocation();
  const current = sectionOf(pathname);
  return (
    <nav aria-label={messages.common.navigation}>
      <ul className={classes.links} data-layout={layout}>
        {SECTIONS.map((section) => {
          const Icon = section.icon;
          const count = section.to === '/approvals' ? waiting : 0;
          return (
            <li key={section.to}>
              <PlainLink to={section.to} className={classes.link} aria-current={section === current ? 'page' : undefined}>
                <span className={classes.icon}>
                  <Icon size={layout === 'side' ? 20 : 24} stroke={1.7} aria-hidden />
                </span>
                <span className={classes.name}>{layout === 'side' ? section.name : section.short}</span>
                {count > 0 && (
                  <span className={classes.count} role="img" aria-label={messages.common.waiting(count)}>
                    {count}
                  </span>
                )}
              </PlainLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
