import { ErrorPage } from '../../ui/error-page.tsx';

/** Kept by the service worker and shown when a page cannot be fetched. */
export default function Offline() {
  return <ErrorPage kind="offline" />;
}
