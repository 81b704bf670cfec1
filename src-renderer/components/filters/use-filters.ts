import { useNavigate } from '@tanstack/react-router';

/**
 * Changes the filters of the list that the screen shows. They live in the screen's address, so that a list can be kept
 * and shared.
 * @param search the filters as they stand in the address now
 */
export function useFilters<Search extends object>(search: Search): (change: Partial<Search>) => void {
  const navigate = useNavigate();
  return (change) => void navigate({ to: '.', search: { ...search, ...change }, replace: true, resetScroll: false });
}
