import { Outlet } from 'react-router';
import { useKeptInstead, useOffline } from '../../offline.ts';
import { ErrorPage, kindOf } from '../../ui/error-page.tsx';
import type { Route } from './+types/pages';

/** Stands around every page, so that one that fails leaves header and footer as they are. */
export default function Pages() {
  useOffline();
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const detail = import.meta.env.DEV && error instanceof Error ? (error.stack ?? error.message) : undefined;
  const kind = kindOf(error);
  useKeptInstead(kind === 'offline');
  return <ErrorPage kind={kind} detail={detail} />;
}
