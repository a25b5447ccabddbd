import { Outlet } from 'react-router';
import { useSavedCopy, useOffline } from '../../offline/offline.ts';
import { ErrorPage, kindOf } from '../../ui/error-page.tsx';
import type { Route } from './+types/pages';

/** Wraps every page, so that a failing one keeps the header and footer. */
export default function Pages() {
  useOffline();
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const detail = import.meta.env.DEV && error instanceof Error ? (error.stack ?? error.message) : undefined;
  const kind = kindOf(error);
  useSavedCopy(kind === 'offline');
  return <ErrorPage kind={kind} detail={detail} />;
}
