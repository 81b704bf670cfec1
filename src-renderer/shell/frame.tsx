import { Notifications } from '@mantine/notifications';
import { Outlet } from '@tanstack/react-router';

/** What every address has: notifications live inside the router, because they may carry links. */
export function Frame() {
  return (
    <>
      <Notifications position="top-right" limit={3} />
      <Outlet />
    </>
  );
}
