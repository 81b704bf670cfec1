import { Notifications } from '@mantine/notifications';
import { Outlet } from '@tanstack/react-router';
import classes from './notifications.module.css';

/** What every address has: notifications live inside the router, because they may carry links. */
export function Frame() {
  return (
    <>
      <Notifications position="bottom-right" limit={3} classNames={classes} />
      <Outlet />
    </>
  );
}
